//! `svc rule create`.

use svc_api::factory::NewRule;

use super::shared::table;
use crate::commands::in_project::InProject;
use crate::failure::Failure;
use crate::session::Session;

/// Create a rule that hands items to an agent when they enter a state. It acts with your rights.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc rule create 'Bugs go to the agent' -p PRJ --state 'In progress' --label bug --playbook implement
  svc rule create Review -p PRJ --state 'In review' --playbook review --agent Robin")]
pub(crate) struct Args {
    /// Name of the rule
    #[arg(value_name = "NEW_NAME")]
    name: String,
    #[command(flatten)]
    project: InProject,
    /// State that an item enters
    #[arg(long)]
    state: String,
    /// Label that the item must have [default: any]
    #[arg(long)]
    label: Option<String>,
    /// Name, in any case, or id of the playbook
    #[arg(long)]
    playbook: String,
    /// Display name or id of the agent [default: the project's]
    #[arg(long)]
    agent: Option<String>,
    /// Start runs, too, when a person moves the item who may not start AI work
    #[arg(long)]
    for_everybody: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let Args { name, project: _, state, label, playbook, agent, for_everybody } = args;
    let only_ai_starters = for_everybody.then_some(false);
    let new = NewRule { name, state, label, playbook, agent, only_ai_starters };
    let rule = session.org(&org).create_rule(project.as_str(), &new).await?;
    session.output.one(&rule, table)
}
