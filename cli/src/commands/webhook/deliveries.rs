//! `svc webhook deliveries`.

use svc_api::webhooks::WebhookDeliveryQuery;

use super::shared::{Which, deliveries};
use crate::failure::Failure;
use crate::session::Session;

/// List what a webhook sent in the last 30 days, newest first, 50 at once.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc webhook deliveries n8n
  svc webhook deliveries n8n --json --jq '.[] | select(.state == \"failed\") | .id'")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    /// Only those before the delivery with this id
    #[arg(long, value_name = "DELIVERY_ID")]
    before: Option<String>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let webhook = args.which.find(&org, session).await?;
    let query = WebhookDeliveryQuery { before: args.before };
    let sent = session.org(&org).webhook_deliveries(&webhook.id, &query).await?;
    session.output.all(&sent, "The webhook has sent nothing.", deliveries)
}
