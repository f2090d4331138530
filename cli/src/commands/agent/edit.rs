//! `svc agent edit`: reads the agent's version, then sends the change under it.

use svc_api::Patch;
use svc_api::factory::UpdateAgent;

use super::shared::{Which, find, table};
use crate::failure::Failure;
use crate::session::Session;
use crate::values::OrNone;

/// Rename an agent, or change its model.
///
/// If someone else saves in between, nothing is changed (exit code 3).
#[derive(clap::Args)]
#[command(
    override_usage = "svc agent edit [OPTIONS] <AGENT>",
    after_help = "\
Examples:
  svc agent edit robin --name Sam
  svc agent edit robin --model none"
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
    /// Model for the harness to use, or none for the harness's default
    #[arg(long)]
    model: Option<OrNone<String>>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let Args { which, change: Change { name, model } } = args;
    let org = session.org_slug().await?;
    let agent = find(&which.agent, &org, session).await?;
    let model = model.map_or(Patch::Keep, Patch::from);
    let change = UpdateAgent { version: agent.version, name, model, disabled: None };
    let agent = session.org(&org).update_agent(&agent.id, &change).await?;
    session.output.one(&agent, table)
}
