//! Send what a webhook tells.

use svc_app::messages::DeliverWebhook;
use svc_app::{App, Result, webhooks};
use svc_present::webhooks::payload;

use super::{Done, Handle};

#[async_trait::async_trait]
impl Handle for DeliverWebhook {
    fn subject(&self) -> String {
        format!("webhook {}", self.webhook)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        let again = webhooks::attempt(app, self.org, self.webhook, self.delivery, payload).await?;
        Ok(Done::again_after(again))
    }
}
