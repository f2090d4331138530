//! Send what a webhook tells.

use svc_app::messages::DeliverWebhook;
use svc_app::{App, Result, webhooks};
use svc_present::webhooks::payload;

use super::{Done, Handle};
use crate::shares::Share;

#[async_trait::async_trait]
impl Handle for DeliverWebhook {
    fn subject(&self) -> String {
        format!("webhook {}", self.webhook)
    }

    fn shares(&self) -> Vec<Share> {
        Share::webhooks(self.org)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        let again = webhooks::attempt(app, self.org, self.webhook, self.delivery, payload).await?;
        Ok(Done::again_after(again))
    }
}
