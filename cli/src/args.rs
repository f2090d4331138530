//! The command line as it is typed: the global settings and the commands.

use clap::{Parser, Subcommand};

use crate::commands::{
    agent, alias, api, attachment, auth, browse, comment, completions, factory, import, inbox, intake,
    invite, item, label, man, mcp, member, milestone, org, playbook, project, refine, rule, run, runner,
    schedule, search, sprint, status, team, template, token, view, webhook, wiki, workflow,
};
use crate::globals::{Globals, HELP};

/// Track work, and hand it to coding agents.
///
/// Prints a table for people, or JSON with --json for scripts. Data goes to stdout, everything else to
/// stderr.
#[derive(Parser)]
#[command(
    name = "svc",
    version = svc_runner::version(),
    max_term_width = 100,
    after_help = format!("{HELP}\n\n{EXAMPLES}"),
    after_long_help = format!("{HELP}\n\n{LONG_HELP}")
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) globals: Globals,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Sign in and out
    #[command(subcommand)]
    Auth(auth::Command),
    #[command(flatten)]
    Connected(Box<Connected>),
    /// Execute runs on this machine, and manage the organization's runners
    #[command(subcommand)]
    Runner(runner::Command),
    Mcp(mcp::Args),
    /// Create shortcuts for commands
    #[command(subcommand)]
    Alias(alias::Command),
    Completions(completions::Args),
    Man(man::Args),
}

/// Commands that ask an instance.
#[derive(Subcommand)]
pub(crate) enum Connected {
    /// Create and manage organizations
    #[command(subcommand)]
    Org(org::Command),
    /// Manage the members of an organization
    #[command(subcommand)]
    Member(member::Command),
    /// Invite people to an organization
    #[command(subcommand)]
    Invite(invite::Command),
    /// Create and revoke your access tokens
    #[command(subcommand)]
    Token(token::Command),
    /// Create and manage projects and their members
    #[command(subcommand)]
    Project(project::Command),
    /// View and edit a project's workflow
    #[command(subcommand)]
    Workflow(workflow::Command),
    /// Manage a project's labels
    #[command(subcommand)]
    Label(label::Command),
    /// Manage a project's item templates
    #[command(subcommand)]
    Template(template::Command),
    /// Manage the addresses at which monitoring and forms make items
    #[command(subcommand)]
    Intake(intake::Command),
    /// Manage a project's saved views
    #[command(subcommand)]
    View(view::Command),
    /// Manage a project's teams
    #[command(subcommand)]
    Team(team::Command),
    /// Work with items
    #[command(subcommand)]
    Item(item::Command),
    /// Read and write comments
    #[command(subcommand)]
    Comment(comment::Command),
    /// Attach files to items and download them
    #[command(subcommand)]
    Attachment(attachment::Command),
    /// Hand items to agents and follow their runs
    #[command(subcommand)]
    Run(run::Command),
    /// Manage the agents of an organization
    #[command(subcommand)]
    Agent(agent::Command),
    /// Manage the playbooks of a project
    #[command(subcommand)]
    Playbook(playbook::Command),
    /// Have agents refine items before work begins
    #[command(subcommand)]
    Refine(refine::Command),
    /// Manage the rules that hand items to agents
    #[command(subcommand)]
    Rule(rule::Command),
    /// Manage the schedules that create items and hand them to agents
    #[command(subcommand)]
    Schedule(schedule::Command),
    /// Manage the webhooks that tell other programs what happens
    #[command(subcommand)]
    Webhook(webhook::Command),
    /// View and change how a project uses agents
    #[command(subcommand)]
    Factory(factory::Command),
    /// Manage a project's milestones and see their progress
    #[command(subcommand)]
    Milestone(milestone::Command),
    /// Plan, start and complete sprints
    #[command(subcommand)]
    Sprint(sprint::Command),
    /// Read and write a project's wiki
    #[command(subcommand)]
    Wiki(wiki::Command),
    /// See what is new for you
    #[command(subcommand)]
    Inbox(inbox::Command),
    Import(import::Args),
    Search(search::Args),
    Status(status::Args),
    Browse(browse::Args),
    Api(api::Args),
}

macro_rules! examples {
    () => {
        "\
Examples:
  svc auth login --url https://tracker.example --email ada@example.org
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

Settings:
  Flags override environment variables, which override ~/.config/svc/config.json.
  SVC_URL, SVC_TOKEN, SVC_ORG, SVC_PROJECT  instance, access token, organization, project
  SVC_CONFIG_HOME, XDG_CONFIG_HOME          use this directory instead of ~/.config
  SVC_ALLOW_PLAIN_HTTP=1                    allow sending the token without TLS
  SVC_ITEM                                  set in an agent's run; the config file is not used there
  AI_AGENT                                  mark descriptions and comments as text by others, as in a run
  SVC_NO_UPDATE_CHECK=1                     keep the runner from checking for updates
  NO_COLOR=1                                print without colour
  SVC_PAGER, PAGER                          pager for long output on a terminal; less by default, empty for none
  A stored token is only ever sent to the instance that it was stored for.

JSON:
  --json prints the API's response. A field without a value is null or missing: --jq reads both as
  null, and --format prints nothing for both. Lists leave out long texts. --format refuses unknown
  fields.

Keys:
  You can give -p together with an item's key; the two must agree. With -p, a number alone names an
  item of that project.

Days:
  2026-01-31, today, yesterday, tomorrow, +3d, +2w, +1m, -7d or friday. friday is the next Friday,
  or today if today is a Friday. Options use your time zone, filters use UTC.

Exit codes:
  0  success
  1  unexpected failure: the network, or the instance itself
  2  request rejected, or wrong command line
  3  conflict: someone else saved first, the item is claimed, or the state does not allow it
  4  not found, or you may not see it
  5  not signed in, or not permitted
  130  stopped with Ctrl-C"
);

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::Cli;

    #[test]
    fn the_commands_are_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_has_an_example() {
        fn without(command: &clap::Command, path: &str, found: &mut Vec<String>) {
            let path = format!("{path} {}", command.get_name());
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            if command.has_subcommands() {
                command.get_subcommands().for_each(|below| without(below, &path, found));
            } else if !help.contains("Example") {
                found.push(path);
            }
        }
        let (root, mut found) = (Cli::command(), Vec::new());
        // The runner's commands are in its own room, and its program's too.
        for command in root.get_subcommands().filter(|command| command.get_name() != "runner") {
            without(command, "svc", &mut found);
        }
        assert_eq!(found, Vec::<String>::new());
    }
}
