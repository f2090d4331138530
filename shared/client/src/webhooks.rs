//! Outbound webhooks of an organization.

use reqwest::Method;
use svc_api::webhooks::{
    NewOutboundWebhook, OutboundWebhook, UpdateOutboundWebhook, WebhookDelivery, WebhookDeliveryQuery,
    WebhookWithSecret,
};

use crate::client::Org;
use crate::error::Error;

impl Org<'_> {
    /// The webhooks.
    pub async fn webhooks(self) -> Result<Vec<OutboundWebhook>, Error> {
        self.client.get("/orgs/{}/webhooks", &[self.slug]).fetch().await
    }

    /// Makes a webhook; the secret is in this answer only.
    pub async fn create_outbound_webhook(self, new: &NewOutboundWebhook) -> Result<WebhookWithSecret, Error> {
        self.client.post("/orgs/{}/webhooks", &[self.slug]).json(new).fetch().await
    }

    /// Changes a webhook.
    pub async fn update_webhook(
        self,
        id: &str,
        change: &UpdateOutboundWebhook,
    ) -> Result<OutboundWebhook, Error> {
        self.client.call(Method::PATCH, "/orgs/{}/webhooks/{}", &[self.slug, id]).json(change).fetch().await
    }

    /// Gives a webhook a new secret.
    pub async fn rotate_webhook(self, id: &str) -> Result<WebhookWithSecret, Error> {
        self.client.post("/orgs/{}/webhooks/{}/rotate", &[self.slug, id]).fetch().await
    }

    /// Deletes a webhook.
    pub async fn delete_outbound_webhook(self, id: &str) -> Result<(), Error> {
        self.client.call(Method::DELETE, "/orgs/{}/webhooks/{}", &[self.slug, id]).done().await
    }

    /// Sends a test.
    pub async fn test_webhook(self, id: &str) -> Result<WebhookDelivery, Error> {
        self.client.post("/orgs/{}/webhooks/{}/test", &[self.slug, id]).fetch().await
    }

    /// What a webhook sent, newest first.
    pub async fn webhook_deliveries(
        self,
        id: &str,
        query: &WebhookDeliveryQuery,
    ) -> Result<Vec<WebhookDelivery>, Error> {
        self.client.get("/orgs/{}/webhooks/{}/deliveries", &[self.slug, id]).query(query).fetch().await
    }

    /// Sends a delivery again.
    pub async fn replay_webhook(self, id: &str, delivery: &str) -> Result<WebhookDelivery, Error> {
        let args = [self.slug, id, delivery];
        self.client.post("/orgs/{}/webhooks/{}/deliveries/{}/replay", &args).fetch().await
    }
}
