//! `svc webhook replay`.

use super::shared::{Which, deliveries};
use crate::failure::Failure;
use crate::session::Session;

/// Send a delivery again, under the same id.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc webhook replay n8n 0193a7f0-5c1e-7d2b-8f7e-2a4b6c8d0e1f")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    /// Id of the delivery
    #[arg(value_name = "DELIVERY_ID")]
    delivery: String,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let webhook = args.which.find(&org, session).await?;
    let waits = session.org(&org).replay_webhook(&webhook.id, &args.delivery).await?;
    session.output.one(&waits, deliveries)
}
