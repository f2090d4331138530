//! Makes a delivery of everything that a webhook tells: step 2 of the protocol in [`super`].

use jiff::SignedDuration;
use sha2::{Digest, Sha256};
use svc_domain::ids::{DeliveryId, OrgId, WebhookId};
use svc_domain::webhook::{Delivery, KEPT, WebhookNews};
use svc_storage::{Op, keys};
use uuid::{Builder, Uuid};

use super::Loaded;
use crate::App;
use crate::error::{Result, is_conflict};
use crate::messages::DeliverWebhook;
use crate::outbox::Outgoing;
use crate::transaction::Transaction;

/// Makes the deliveries of what a commit was about. Repeating it makes no second one.
///
/// # Errors
/// Those of storage: it has to be tried again.
pub async fn fan_out(app: &App, org: OrgId, commit: Uuid, news: &[WebhookNews]) -> Result<()> {
    if news.is_empty() {
        return Ok(());
    }
    let loaded = Loaded::load(app, org).await?;
    for webhook in &loaded.webhooks.webhooks {
        for (place, news) in news.iter().enumerate().filter(|(_, news)| webhook.tells(news)) {
            let id = id_of(commit, place, webhook.id, news);
            make(app, org, webhook.id, Delivery::new(webhook.id, id, news.clone())).await?;
        }
    }
    Ok(())
}

/// An id that is the same each time and in the order of what happened.
fn id_of(commit: Uuid, place: usize, webhook: WebhookId, news: &WebhookNews) -> DeliveryId {
    let hash = Sha256::digest(format!("{commit} {place} {webhook}"));
    let mut bytes = [0; 10];
    bytes.copy_from_slice(&hash[..10]);
    let millis = u64::try_from(news.at.as_millisecond()).unwrap_or_default();
    DeliveryId(Builder::from_unix_timestamp_millis(millis, &bytes).into_uuid())
}

async fn make(app: &App, org: OrgId, webhook: WebhookId, delivery: Delivery) -> Result<()> {
    let message = DeliverWebhook { org, webhook, delivery: delivery.id };
    let outgoing = Outgoing::new(app, message, SignedDuration::ZERO);
    let expires = (app.now() + KEPT).as_second();
    let made = Op::create(keys::delivery(org, webhook, delivery.id), &delivery).expiring(expires);
    match app.commit(Transaction::by_itself(app, org).with([made, outgoing.op()])).await {
        // It was made before.
        Err(error) if is_conflict(&error) => return Ok(()),
        committed => committed?,
    }
    outgoing.send(app).await;
    Ok(())
}
