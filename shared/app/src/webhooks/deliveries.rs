//! What a webhook sent, sending it again, and testing the webhook.

use jiff::SignedDuration;
use svc_domain::ids::{DeliveryId, WebhookId};
use svc_domain::refusal::Refusal;
use svc_domain::webhook::{Delivery, KEPT, WebhookEvent, WebhookNews};
use svc_storage::{Op, Query, Range, Row, keys};

use super::manage::{enter, look};
use super::send::{Render, attempt};
use crate::App;
use crate::entry::Caller;
use crate::error::Result;
use crate::messages::DeliverWebhook;
use crate::outbox::Outgoing;
use crate::transaction::Transaction;

/// Deliveries of one answer.
const PAGE: usize = 50;

/// The latest deliveries of a webhook before one, newest first.
///
/// # Errors
/// [`Refusal::NotFound`]; what [`svc_domain::access::Capability::AdministerOrg`] refuses.
pub async fn deliveries(
    app: &App,
    caller: Caller<'_>,
    webhook: WebhookId,
    before: Option<DeliveryId>,
) -> Result<Vec<Delivery>> {
    let (entry, mut loaded) = look(app, caller).await?;
    loaded.find(webhook)?;
    let (org, first) = (entry.org_id(), keys::deliveries_prefix(webhook));
    let range = match before {
        Some(before) => Range::Between(first, keys::delivery(org, webhook, before).sk),
        None => Range::Prefix(first),
    };
    let query = Query::new(keys::deliveries_pk(org), range, PAGE + 1).descending();
    let rows = app.table.query(&query).await?.rows;
    let mut deliveries: Vec<Delivery> = rows.iter().map(Row::read).collect::<Result<_, _>>()?;
    deliveries.retain(|delivery| Some(delivery.id) != before);
    deliveries.truncate(PAGE);
    Ok(deliveries)
}

/// Sends a delivery again, under the same id.
///
/// # Errors
/// [`Refusal::NotFound`]; [`Refusal::Conflict`] while the webhook is disabled; what
/// [`svc_domain::access::Capability::AdministerOrg`] refuses.
pub async fn replay(app: &App, caller: Caller<'_>, webhook: WebhookId, id: DeliveryId) -> Result<Delivery> {
    app.decide(|| async {
        let (entry, mut loaded) = enter(app, caller).await?;
        if loaded.find(webhook)?.disabled.is_some() {
            return Err(Refusal::Conflict("the webhook is disabled: enable it first").into());
        }
        let org = entry.org_id();
        let row = app.table.get(&keys::delivery(org, webhook, id)).await?.ok_or(Refusal::NotFound)?;
        let mut delivery: Delivery = row.read()?;
        delivery.replay();
        let message = DeliverWebhook { org, webhook, delivery: id };
        let outgoing = Outgoing::new(app, message, SignedDuration::ZERO);
        let expires = (app.now() + KEPT).as_second();
        let waits = row.replaced_by(&delivery).expiring(expires);
        app.commit(Transaction::of(app, &entry).with([waits, outgoing.op()])).await?;
        outgoing.send(app).await;
        Ok(delivery)
    })
    .await
}

/// Sends a test now, and answers how it went. A disabled webhook can be tested as well.
///
/// # Errors
/// [`Refusal::NotFound`]; what [`svc_domain::access::Capability::AdministerOrg`] refuses.
pub async fn ping(app: &App, caller: Caller<'_>, webhook: WebhookId, render: Render) -> Result<Delivery> {
    let (entry, mut loaded) = enter(app, caller).await?;
    loaded.find(webhook)?;
    let (org, id) = (entry.org_id(), DeliveryId(app.uuid()));
    let news = WebhookNews::new(WebhookEvent::Ping, app.now(), Some(entry.actor().clone()));
    let key = keys::delivery(org, webhook, id);
    let made =
        Op::create(key.clone(), &Delivery::new(webhook, id, news)).expiring((app.now() + KEPT).as_second());
    app.commit(Transaction::of(app, &entry).with([made])).await?;
    attempt(app, org, webhook, id, render).await?;
    Ok(app.table.get(&key).await?.ok_or(Refusal::NotFound)?.read()?)
}
