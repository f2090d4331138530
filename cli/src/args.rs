//! The command line as it is typed: the global settings, the commands, and the values that they take.

use std::convert::Infallible;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use serde::de::DeserializeOwned;
use svc_api::Patch;
use svc_api::factory::RunStatus;
use svc_api::identity::{InvitationPreset, OrgRole, ProjectRole, Scope};
use svc_api::tracker::{ItemType, Priority, SprintState};
use svc_api::wiki::AudienceKind;
use svc_domain::wiki::{InvalidPath, PagePath};
use svc_runner::cli::RunnerCommand;

use crate::commands::{
    attachment, auth, comment, completions, invite, item, label, man, member, org, project, run, search,
    sprint, team, template, token, wiki, workflow,
};
pub(crate) use crate::keys::{item_key, item_key_or_none, project_key};

/// Track work, and hand it to coding agents.
///
/// Prints a table for people, or JSON with --json for scripts. Data goes to stdout, everything else to
/// stderr.
#[derive(Parser)]
#[command(name = "svc", version, max_term_width = 100, after_help = EXAMPLES, after_long_help = LONG_HELP)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) globals: Globals,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Settings that every command takes. The runner's commands have settings of their own with the same names.
#[derive(Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Globals {
    /// Address of the instance [env: SVC_URL]
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// Access token; other users of the machine can read a command line, so prefer SVC_TOKEN [env: SVC_TOKEN]
    #[arg(long, global = true, value_name = "TOKEN")]
    pub(crate) token: Option<String>,
    /// Slug of the organization; not needed when you can see only one [env: SVC_ORG]
    #[arg(long, global = true, value_name = "SLUG")]
    pub(crate) org: Option<String>,
    /// Print JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Sign in to an instance, and out
    #[command(subcommand)]
    Auth(auth::Command),
    /// Set up organizations
    #[command(subcommand)]
    Org(org::Command),
    /// Say what the members of the organization may do
    #[command(subcommand)]
    Member(member::Command),
    /// Ask people into the organization
    #[command(subcommand)]
    Invite(invite::Command),
    /// Make and revoke access tokens of yours
    #[command(subcommand)]
    Token(token::Command),
    /// Set up projects and say who works in them
    #[command(subcommand)]
    Project(project::Command),
    /// Shape a project's workflow
    #[command(subcommand)]
    Workflow(workflow::Command),
    /// Define, rename and merge a project's labels
    #[command(subcommand)]
    Label(label::Command),
    /// Keep a project's ticket templates
    #[command(subcommand)]
    Template(template::Command),
    /// Form a project's teams
    #[command(subcommand)]
    Team(team::Command),
    /// Work with items
    #[command(subcommand)]
    Item(item::Command),
    /// Read, change and delete comments
    #[command(subcommand)]
    Comment(comment::Command),
    /// Put files on items and get them
    #[command(subcommand)]
    Attachment(attachment::Command),
    /// Hand items to agents and follow their runs
    #[command(subcommand)]
    Run(run::Command),
    /// Plan, start and complete sprints, with their taskboards and burndowns
    #[command(subcommand)]
    Sprint(sprint::Command),
    /// Read and write a project's wiki
    #[command(subcommand)]
    Wiki(wiki::Command),
    Search(search::Args),
    /// Execute runs on this machine
    #[command(subcommand)]
    Runner(RunnerCommand),
    Completions(completions::Args),
    #[command(hide = true)]
    Man(man::Args),
}

macro_rules! examples {
    () => {
        "\
Examples:
  svc auth login --url https://tracker.example
  svc item list -p PRJ --filter 'state:active assignee:@me'
  svc item create -p PRJ --type bug --title 'Search forgets its filter'
  svc run start PRJ-12 && svc run list --item PRJ-12
  svc run logs 0193a6e5-... --follow"
    };
}

const EXAMPLES: &str = examples!();

const LONG_HELP: &str = concat!(
    examples!(),
    "

Settings, each from the first place that has it:
  a flag, then SVC_URL, SVC_TOKEN and SVC_ORG, then ~/.config/svc/config.json
  (SVC_CONFIG_HOME or XDG_CONFIG_HOME replaces ~/.config)
  SVC_ALLOW_PLAIN_HTTP=1 lets the token cross a network without TLS
  SVC_ITEM, set in an agent's run, keeps the config file of its owner out of it
  NO_COLOR=1 prints without colour

Exit codes:
  0  success
  1  unexpected failure: the network, or the instance itself
  2  request rejected, or wrong command line
  3  conflict: someone else saved first, or the item is already claimed
  4  not found, or not visible to you
  5  not authenticated, or the token may not do this"
);

/// Reads the path of a wiki page.
pub(crate) fn page_path(text: &str) -> Result<PagePath, InvalidPath> {
    text.parse()
}

/// Reads an item type by its name on the wire.
pub(crate) fn item_type() -> impl TypedValueParser<Value = ItemType> {
    named(&["story", "bug", "task", "epic", "subtask"])
}

/// Reads a priority by its name on the wire.
pub(crate) fn priority() -> impl TypedValueParser<Value = Priority> {
    named(&["lowest", "low", "medium", "high", "highest"])
}

/// Reads a priority by its name on the wire, or `none`.
pub(crate) fn priority_or_none() -> impl TypedValueParser<Value = OrNone<Priority>> {
    named_or_none(&["lowest", "low", "medium", "high", "highest", "none"])
}

/// Reads a run state by its name on the wire.
pub(crate) fn run_status() -> impl TypedValueParser<Value = RunStatus> {
    named(&["queued", "assigned", "running", "succeeded", "failed", "cancelled", "timedOut"])
}

/// Reads a sprint state by its name on the wire.
pub(crate) fn sprint_state() -> impl TypedValueParser<Value = SprintState> {
    named(&["planned", "active", "completed"])
}

/// Reads whom a wiki page is for by its name on the wire, or `none`.
pub(crate) fn audience_or_none() -> impl TypedValueParser<Value = OrNone<AudienceKind>> {
    named_or_none(&["everyone", "members", "admins", "people", "none"])
}

/// Reads one of the names, the last of which takes the value away.
fn named_or_none<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    names: &'static [&'static str],
) -> impl TypedValueParser<Value = OrNone<T>> {
    named::<serde_json::Value>(names).try_map(|name| {
        if name == "none" { Ok(OrNone::None) } else { serde_json::from_value(name).map(OrNone::Some) }
    })
}

/// Reads a role in an organization by its name on the wire.
pub(crate) fn org_role() -> impl TypedValueParser<Value = OrgRole> {
    named(&["owner", "admin", "member", "guest"])
}

/// Reads a role in a project by its name on the wire.
pub(crate) fn project_role() -> impl TypedValueParser<Value = ProjectRole> {
    named(&["admin", "member"])
}

/// Reads what somebody is invited as by its name on the wire.
pub(crate) fn preset() -> impl TypedValueParser<Value = InvitationPreset> {
    named(&["member", "admin", "guest", "stakeholder"])
}

/// Reads what a token may do by its name on the wire.
pub(crate) fn scope() -> impl TypedValueParser<Value = Scope> {
    named(&["read", "write", "admin", "mcp"])
}

/// Reads one of the names, in any case where the argument ignores it.
fn named<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    names: &'static [&'static str],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(names).try_map(|typed| {
        let name = names.iter().find(|name| name.eq_ignore_ascii_case(&typed)).copied();
        serde_json::from_value(name.into())
    })
}

/// Reads a number of effort. What no JSON can carry, such as NaN, is none.
pub(crate) fn number(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| "this is not a number such as 2 or 0.5".to_owned())
}

/// Reads a number of effort, or `none`.
pub(crate) fn number_or_none(text: &str) -> Result<OrNone<f64>, String> {
    if is_none(text) { Ok(OrNone::None) } else { number(text).map(OrNone::Some) }
}

/// Names separated by commas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names(pub(crate) Vec<String>);

impl FromStr for Names {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
        Ok(Self(names.map(str::to_owned).collect()))
    }
}

/// A value that can be taken away: `none`, or something to set.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum OrNone<T> {
    None,
    Some(T),
}

impl<T> From<OrNone<T>> for Patch<T> {
    fn from(value: OrNone<T>) -> Self {
        match value {
            OrNone::None => Self::Clear,
            OrNone::Some(value) => Self::Set(value),
        }
    }
}

impl<T: FromStr> FromStr for OrNone<T>
where
    T::Err: std::fmt::Display,
{
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if is_none(text) {
            return Ok(Self::None);
        }
        text.parse().map(Self::Some).map_err(|error: T::Err| error.to_string())
    }
}

pub(crate) fn is_none(text: &str) -> bool {
    text.eq_ignore_ascii_case("none")
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use clap::CommandFactory as _;
    use clap::builder::TypedValueParser;
    use svc_api::factory::RunStatus;
    use svc_api::identity::{InvitationPreset, OrgRole, ProjectRole, Scope};
    use svc_api::tracker::{ItemType, Priority, SprintState};
    use svc_api::wiki::AudienceKind;

    use super::{
        Cli, OrNone, audience_or_none, item_type, number_or_none, org_role, preset, priority, project_role,
        run_status, scope, sprint_state,
    };

    #[test]
    fn the_commands_are_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_offered_name_is_one_that_the_wire_knows() {
        fn read<P: TypedValueParser<Value: PartialEq + Debug>>(parser: P, unknown: P::Value) {
            let command = clap::Command::new("test");
            for value in parser.possible_values().into_iter().flatten() {
                let read = parser.parse_ref(&command, None, value.get_name().as_ref()).unwrap();
                assert_ne!(read, unknown, "{}", value.get_name());
            }
        }
        read(item_type(), ItemType::Unknown);
        read(priority(), Priority::Unknown);
        read(run_status(), RunStatus::Unknown);
        read(sprint_state(), SprintState::Unknown);
        read(audience_or_none(), OrNone::Some(AudienceKind::Unknown));
        read(org_role(), OrgRole::Unknown);
        read(project_role(), ProjectRole::Unknown);
        read(preset(), InvitationPreset::Unknown);
        read(scope(), Scope::Unknown);
    }

    #[test]
    fn none_takes_a_value_away() {
        assert_eq!("None".parse::<OrNone<String>>().unwrap(), OrNone::None);
        assert_eq!(number_or_none("none").unwrap(), OrNone::None);
        assert_eq!(number_or_none("2.5").unwrap(), OrNone::Some(2.5));
        for text in ["x", "", "nan", "inf", "-infinity", "1e999"] {
            assert!(number_or_none(text).is_err(), "{text:?} would be sent as null, which clears");
        }
    }
}
