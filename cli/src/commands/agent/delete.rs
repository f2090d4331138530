//! `svc agent delete` and `svc agent restore`.

use super::shared::{Which, find, find_deleted, table};
use crate::commands::confirm::Confirm;
use crate::commands::deleted::not_restored;
use crate::failure::Failure;
use crate::session::Session;

/// Delete an agent. It can be restored for 30 days.
///
/// Its queued runs wait until the agent is restored or the runs are cancelled; runs that have started continue. To
/// pause an agent, use `svc agent disable`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc agent delete Robin
  svc agent delete Robin --yes")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

/// Restore a deleted agent.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc agent list --deleted
  svc agent restore Robin")]
pub(crate) struct RestoreArgs {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let agent = find(&args.which.agent, &org, session).await?;
    args.confirm.sure_by_name("agent", &agent.name, session.output)?;
    session.org(&org).delete_agent(&agent.id).await?;
    let name = &agent.name;
    session
        .output
        .say(&format!("deleted the agent {name:?}; `svc agent restore {name:?}` brings it back for 30 days"));
    Ok(())
}

pub(super) async fn restore(args: RestoreArgs, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let agent = find_deleted(&args.which.agent, &org, session).await?;
    let restored = session.org(&org).restore_agent(&agent.id).await;
    let hint = format!("`svc agent edit {:?} --name <NEW_NAME>` renames the other one", agent.name);
    session.output.one(&restored.map_err(|error| not_restored(error, "Another agent", &hint))?, table)
}
