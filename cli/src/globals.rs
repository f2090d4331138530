//! The settings that every command takes.

use clap::Args;

/// What the help of the whole program says of them; the help of a command only names them.
pub(crate) const HELP: &str = "\
Global options:
      --url <URL>          Address of the instance [env: SVC_URL]
      --token <TOKEN>      Access token; others on this machine can see it, so prefer SVC_TOKEN
      --org <SLUG>         Organization; not needed when you belong to only one [env: SVC_ORG]
      --json               Print JSON
      --jq <FILTER>        Filter the JSON with a jq expression
      --format <TEMPLATE>  Format the JSON with a template, such as '{{ key }}\\t{{ title }}', which is
                           filled for each entry of a list
      --utc                Show times in UTC, as when the output is not a terminal
      --color <WHEN>       auto, always or never; auto colours on a terminal, unless NO_COLOR is set
      --no-pager           Print long output without a pager [env: SVC_PAGER, PAGER]";

/// Settings that every command takes. The runner's commands have settings of their own with the same names.
#[derive(Args, Default)]
pub(crate) struct Globals {
    /// Address of the instance [env: SVC_URL]
    #[arg(long, global = true, hide = true, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// Access token; other users of this machine can see it, so prefer SVC_TOKEN [env: SVC_TOKEN]
    #[arg(long, global = true, hide = true, value_name = "TOKEN")]
    pub(crate) token: Option<String>,
    /// Slug of the organization; not needed when you belong to only one [env: SVC_ORG]
    #[arg(long, global = true, hide = true, value_name = "SLUG")]
    pub(crate) org: Option<String>,
    /// Print JSON
    #[arg(long, global = true, hide = true)]
    pub(crate) json: bool,
    /// Filter the JSON with a jq expression
    #[arg(long, global = true, hide = true, value_name = "FILTER")]
    pub(crate) jq: Option<String>,
    /// Format the JSON with a template, such as '{{ key }} {{ title }}'; lists are printed entry by entry
    #[arg(long, global = true, hide = true, value_name = "TEMPLATE", conflicts_with = "jq")]
    pub(crate) format: Option<String>,
    /// Show times in UTC, as when the output is not a terminal
    #[arg(long, global = true, hide = true)]
    pub(crate) utc: bool,
    /// When to use colours; auto uses them on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, hide = true, value_name = "WHEN", value_parser = ["auto", "always", "never"])]
    pub(crate) color: Option<String>,
    /// Print long output without a pager [env: SVC_PAGER, PAGER]
    #[arg(long, global = true, hide = true)]
    pub(crate) no_pager: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::HELP;
    use crate::args::Cli;

    #[test]
    fn every_global_option_is_explained() {
        let command = Cli::command();
        let globals = command.get_arguments().filter(|arg| arg.is_global_set());
        let longs: Vec<_> = globals.filter_map(|arg| arg.get_long()).collect();
        assert!(longs.len() > 5);
        for long in longs {
            assert!(HELP.contains(&format!("      --{long} ")), "{long}");
        }
    }
}
