//! `svc webhook delete`.

use super::shared::Which;
use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::session::Session;

/// Delete a webhook. What it has not sent yet is not sent any more.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc webhook delete n8n --yes")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let webhook = args.which.find(&org, session).await?;
    args.confirm.sure(&format!("Delete the webhook {:?}?", webhook.name), session.output)?;
    session.org(&org).delete_outbound_webhook(&webhook.id).await?;
    session.output.say(&format!("deleted the webhook {:?}", webhook.name));
    Ok(())
}
