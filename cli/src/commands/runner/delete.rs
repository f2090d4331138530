//! `svc runner delete`.

use super::shared::Which;
use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::session::Session;

/// Delete a runner from the organization. Its secret stops working immediately
///
/// `svc runner remove` forgets an organization on this machine.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc runner delete laptop
  svc runner delete laptop --yes")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let runner = args.which.find(&org, session).await?;
    args.confirm.sure(&format!("Delete the runner {:?}?", runner.name), session.output)?;
    session.org(&org).delete_runner(&runner.id).await?;
    session.output.say(&format!("deleted the runner {:?}", runner.name));
    Ok(())
}
