//! `svc rule edit`: reads the rule's version, then sends the change under it.

use svc_api::Patch;
use svc_api::factory::UpdateRule;

use super::shared::{Which, table};
use crate::failure::Failure;
use crate::session::Session;
use crate::values::OrNone;

/// Change, disable or enable a rule. It then acts with your rights.
#[derive(clap::Args)]
#[command(
    override_usage = "svc rule edit [OPTIONS] --project <PROJECT_KEY> <RULE>",
    after_help = "\
Examples:
  svc rule edit review -p PRJ --disabled true
  svc rule edit review -p PRJ --label none --playbook implement"
)]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    change: Change,
}

#[derive(clap::Args)]
#[group(required = true, multiple = true)]
struct Change {
    /// New name
    #[arg(long)]
    name: Option<String>,
    /// New state
    #[arg(long)]
    state: Option<String>,
    /// New label, or none
    #[arg(long)]
    label: Option<OrNone<String>>,
    /// Another playbook
    #[arg(long)]
    playbook: Option<String>,
    /// Another agent, or none for the project's default
    #[arg(long)]
    agent: Option<OrNone<String>>,
    /// Whether the rule skips items that were moved by a person who may not start AI work
    #[arg(long, value_name = "BOOL")]
    only_ai_starters: Option<bool>,
    /// Whether the rule is disabled
    #[arg(long, value_name = "BOOL")]
    disabled: Option<bool>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let rule = args.which.find(&org, session).await?;
    let Change { name, state, label, playbook, agent, only_ai_starters, disabled } = args.change;
    let change = UpdateRule {
        version: rule.version,
        name,
        state,
        label: label.map_or(Patch::Keep, Patch::from),
        playbook,
        agent: agent.map_or(Patch::Keep, Patch::from),
        only_ai_starters,
        disabled,
    };
    let project = args.which.project.key(session).await?;
    let rule = session.org(&org).update_rule(project.as_str(), &rule.id, &change).await?;
    session.output.one(&rule, table)
}
