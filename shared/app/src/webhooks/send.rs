//! One attempt to send a delivery: steps 3 and 4 of the protocol in [`super`].

use jiff::SignedDuration;
use svc_domain::event::{OrgEvent, WebhookChange};
use svc_domain::ids::{DeliveryId, OrgId, WebhookId};
use svc_domain::webhook::{Attempt, Delivery, DeliveryState, KEPT, Skipped, Webhook, WebhookEvent};
use svc_storage::{Row, keys};

use super::content::{Content, content};
use super::{Loaded, sign};
use crate::App;
use crate::error::{Result, is_conflict};
use crate::ports::{OutboundError, Post};
use crate::transaction::Transaction;

/// Turns what a delivery tells into the body that is sent.
pub type Render = fn(Content) -> Vec<u8>;

/// Makes an attempt at a delivery, if it waits for one. How long to wait for the next.
///
/// # Errors
/// Those of storage: it has to be tried again.
pub async fn attempt(
    app: &App,
    org: OrgId,
    webhook: WebhookId,
    id: DeliveryId,
    render: Render,
) -> Result<Option<SignedDuration>> {
    let key = keys::delivery(org, webhook, id);
    let Some(row) = app.table.get(&key).await? else { return Ok(None) };
    let mut delivery: Delivery = row.read()?;
    if delivery.state != DeliveryState::Waiting {
        return Ok(None);
    }
    let mut loaded = Loaded::load(app, org).await?;
    let webhook = loaded.find(webhook).ok().map(|webhook| webhook.clone());
    let sends = |webhook: &Webhook| webhook.disabled.is_none() || delivery.news.event == WebhookEvent::Ping;
    let told = match webhook.filter(sends) {
        Some(webhook) => content(app, org, &webhook, &delivery.news).await?.map(|content| (webhook, content)),
        None => Err(Skipped::Disabled),
    };
    let (webhook, content) = match told {
        Ok(told) => told,
        Err(why) => {
            delivery.skip(why);
            return note(app, org, &row, &delivery).await.map(|_| None);
        }
    };
    if let Err(wait) = delivery.begin(app.now()) {
        return Ok(Some(wait));
    }
    let Some(version) = note(app, org, &row, &delivery).await? else {
        // Another worker has begun.
        return Ok(Some(SignedDuration::from_secs(1)));
    };
    let (attempt, retry_after) = post(app, &webhook, id, render(content)).await;
    let delay = delivery.end(attempt.clone(), retry_after);
    app.metrics.delivered("webhook", delivery.state == DeliveryState::Sent);
    // A test that failed is told at once, and not repeated.
    let delay = delay.filter(|_| delivery.news.event != WebhookEvent::Ping);
    if delivery.news.event == WebhookEvent::Ping && delivery.state == DeliveryState::Waiting {
        delivery.state = DeliveryState::Failed;
        delivery.next = None;
    }
    note(app, org, &Row { version, ..row }, &delivery).await?;
    // A test that fails counts for nothing: whoever asked for it sees the answer.
    if delivery.news.event != WebhookEvent::Ping || delivery.state == DeliveryState::Sent {
        app.decide(|| settle(app, org, webhook.id, &attempt)).await?;
    }
    Ok(delay)
}

/// Writes a delivery as it is now: its version, or nothing where somebody else wrote it.
async fn note(app: &App, org: OrgId, row: &Row, delivery: &Delivery) -> Result<Option<u64>> {
    let expires = (app.now() + KEPT).as_second();
    let op = row.replaced_by(delivery).expiring(expires);
    match app.commit(Transaction::by_itself(app, org).with([op])).await {
        Err(error) if is_conflict(&error) => Ok(None),
        committed => committed.map(|()| Some(row.version + 1)),
    }
}

async fn post(app: &App, webhook: &Webhook, id: DeliveryId, body: Vec<u8>) -> (Attempt, Option<u64>) {
    let (at, id) = (app.now(), id.to_string());
    let Some(secrets) = sign::opened(app, webhook) else {
        return (Attempt { at, status: None, error: Some(sign::LOST.to_owned()) }, None);
    };
    let signature = sign::signatures(secrets.iter().map(String::as_str), &id, at.as_second(), &body);
    let headers = vec![
        ("webhook-id", id),
        ("webhook-timestamp", at.as_second().to_string()),
        ("webhook-signature", signature),
    ];
    match app.outbound.post(&Post { address: webhook.url.clone(), headers, body }).await {
        Ok(answer) => (Attempt { at, status: Some(answer.status), error: None }, answer.retry_after),
        Err(error) => (Attempt { at, status: None, error: Some(why(&error)) }, None),
    }
}

/// Why there was no answer, in a sentence: the outermost error alone says little.
fn why(error: &OutboundError) -> String {
    let mut innermost: &dyn std::error::Error = error;
    while let (OutboundError::Unavailable(_), Some(cause)) = (error, innermost.source()) {
        innermost = cause;
    }
    match error {
        OutboundError::Unavailable(_) => format!("no answer: {innermost}"),
        OutboundError::Refused(_) => error.to_string(),
    }
}

/// Notes in the webhook how an attempt went. Disabling it is told once.
async fn settle(app: &App, org: OrgId, id: WebhookId, attempt: &Attempt) -> Result<()> {
    let mut loaded = Loaded::load(app, org).await?;
    let Ok(webhook) = loaded.find(id) else { return Ok(()) };
    let before = webhook.clone();
    let disabled = webhook.note(attempt);
    if *webhook == before {
        return Ok(());
    }
    let name = webhook.name.clone();
    let mut transaction = Transaction::by_itself(app, org).with([loaded.saved()]);
    if disabled {
        transaction.tell(OrgEvent::Webhook(id, name, WebhookChange::Disabled));
    }
    app.commit(transaction).await
}
