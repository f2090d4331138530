//! `svc webhook test`.

use svc_api::webhooks::WebhookDeliveryState;

use super::shared::{Which, deliveries};
use crate::failure::Failure;
use crate::session::Session;

/// Send a test now, and show how it went. Fails where the test does; a test that fails counts for nothing else.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc webhook test n8n")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let webhook = args.which.find(&org, session).await?;
    let sent = session.org(&org).test_webhook(&webhook.id).await?;
    session.output.one(&sent, deliveries)?;
    if sent.state == WebhookDeliveryState::Sent {
        return Ok(());
    }
    let hint = format!("Mend what it says, then test it again: svc webhook test {:?}", webhook.name);
    Err(Failure::unexpected("The test did not arrive.").hint(hint))
}
