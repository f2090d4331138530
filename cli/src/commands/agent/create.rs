//! `svc agent create`.

use svc_api::factory::NewAgent;

use super::shared::table;
use crate::commands::new_name::{NewName, taken};
use crate::failure::Failure;
use crate::session::Session;

/// Create an agent that items can be handed to. You own it.
///
/// If the organization has only one agent, runs use it by default.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc agent create Robin
  svc agent create Robin --model opus")]
pub(crate) struct Args {
    #[command(flatten)]
    name: NewName,
    /// Model for the harness to use [default: the harness's own]
    #[arg(long)]
    model: Option<String>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let new = NewAgent { name: args.name.into_text(), model: args.model };
    let org = session.org_slug().await?;
    let created = session.org(&org).create_agent(&new).await;
    let next = "choose another name, or change that agent with `svc agent edit`";
    let agent = created.map_err(|error| taken(error, "an agent", &new.name, next))?;
    session.output.one(&agent, table)
}
