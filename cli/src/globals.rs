//! The settings that every command takes.

use clap::Args;

/// Settings that every command takes. The runner's commands have settings of their own with the same names.
#[derive(Args, Default)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Globals {
    /// Address of the instance [env: SVC_URL]
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// Access token; other users of this machine can see it, so prefer SVC_TOKEN [env: SVC_TOKEN]
    #[arg(long, global = true, value_name = "TOKEN")]
    pub(crate) token: Option<String>,
    /// Slug of the organization; not needed when you belong to only one [env: SVC_ORG]
    #[arg(long, global = true, value_name = "SLUG")]
    pub(crate) org: Option<String>,
    /// Print JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Filter the JSON with a jq expression
    #[arg(long, global = true, value_name = "FILTER")]
    pub(crate) jq: Option<String>,
    /// Format the JSON with a template, such as '{{ key }} {{ title }}'; lists are printed entry by entry
    #[arg(long, global = true, value_name = "TEMPLATE", conflicts_with = "jq")]
    pub(crate) format: Option<String>,
    /// Show times in UTC, as when the output is not a terminal
    #[arg(long, global = true)]
    pub(crate) utc: bool,
    /// When to use colours; auto uses them on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", value_parser = ["auto", "always", "never"])]
    pub(crate) color: Option<String>,
    /// Print long output without a pager [env: SVC_PAGER, PAGER]
    #[arg(long, global = true)]
    pub(crate) no_pager: bool,
}
