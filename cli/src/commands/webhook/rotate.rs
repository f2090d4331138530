//! `svc webhook rotate`.

use super::shared::{Which, show_secret};
use crate::failure::Failure;
use crate::session::Session;

/// Give a webhook a new secret and print it. Requests are signed with both secrets for 24 hours.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc webhook rotate n8n > secret.txt")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let webhook = args.which.find(&org, session).await?;
    let rotated = session.org(&org).rotate_webhook(&webhook.id).await?;
    show_secret("replaced the secret of", &rotated, session)
}
