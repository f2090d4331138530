//! What the commands of this noun share: how they name a webhook, and how they show it and what it sent.

use std::str::FromStr;

use svc_api::webhooks::{OutboundWebhook, WebhookDelivery, WebhookEvent, WebhookWithSecret};

use crate::commands::named::{Named, resolve};
use crate::failure::Failure;
use crate::output::{Column, Table, option, yes};
use crate::session::Session;

/// A webhook.
#[derive(clap::Args)]
pub(super) struct Which {
    /// Name, in any case, or id of the webhook
    #[arg(value_name = "WEBHOOK")]
    webhook: String,
}

impl Which {
    pub(super) async fn find(&self, org: &str, session: &Session<'_>) -> Result<OutboundWebhook, Failure> {
        let mut webhooks = session.org(org).webhooks().await?;
        let all: Vec<_> = webhooks.iter().map(|one| Named { id: &one.id, name: &one.name }).collect();
        let id = resolve("webhook", &self.webhook, &all, true)?;
        let index = webhooks.iter().position(|one| one.id == id);
        index
            .map(|index| webhooks.swap_remove(index))
            .ok_or_else(|| Failure::not_found(format!("there is no webhook {:?}", self.webhook)))
    }
}

/// An event, as it is typed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event(pub(super) WebhookEvent);

impl FromStr for Event {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = "item.created, item.changed, item.moved, item.deleted, comment.created, comment.edited, \
                     comment.deleted, run.ended, sprint.started, sprint.completed";
        match serde_json::from_value(text.into()) {
            Ok(WebhookEvent::Unknown | WebhookEvent::Ping) | Err(_) => Err(format!("the events are {known}")),
            Ok(event) => Ok(Self(event)),
        }
    }
}

/// An event, as it is sent.
pub(super) fn word(event: WebhookEvent) -> String {
    serde_json::to_value(event).ok().and_then(|word| Some(word.as_str()?.to_owned())).unwrap_or_default()
}

/// Webhooks, one a row.
pub(super) fn table(webhooks: &[OutboundWebhook]) -> Table {
    let mut table = Table::new([
        Column::id("ID"),
        Column::flexible("NAME"),
        Column::flexible("URL"),
        Column::flexible("EVENTS"),
        Column::flexible("PROJECTS"),
        Column::fixed("DISABLED"),
        Column::flexible("REASON").minor(),
    ]);
    for webhook in webhooks {
        let events: Vec<String> = webhook.events.iter().copied().map(word).collect();
        let projects =
            if webhook.projects.is_empty() { "(all)".to_owned() } else { webhook.projects.join(", ") };
        table.row([
            webhook.id.as_str().into(),
            webhook.name.as_str().into(),
            webhook.url.as_str().into(),
            events.join(", ").into(),
            projects.into(),
            yes(webhook.disabled).into(),
            option(reason(webhook).as_deref()).into(),
        ]);
    }
    table
}

/// Why nothing arrives there.
fn reason(webhook: &OutboundWebhook) -> Option<String> {
    let said = webhook.problem.clone().or_else(|| webhook.disabled_reason.clone());
    said.or_else(|| webhook.failing_since.map(|since| format!("nothing has arrived since {since}")))
}

/// Deliveries, one a row.
pub(super) fn deliveries(deliveries: &[WebhookDelivery]) -> Table {
    let mut table = Table::new([
        Column::fixed("ID"),
        Column::fixed("EVENT"),
        Column::fixed("ITEM"),
        Column::fixed("STATE"),
        Column::fixed("ATTEMPTS"),
        Column::flexible("LAST ANSWER"),
    ]);
    for delivery in deliveries {
        let last = delivery.attempts.last();
        let answer = last.map(|last| match (&last.status, &last.error) {
            (Some(status), _) => status.to_string(),
            (None, error) => error.clone().unwrap_or_default(),
        });
        let answer = delivery.skipped_reason.clone().or(answer);
        let state = serde_json::to_value(delivery.state).unwrap_or_default();
        table.row([
            delivery.id.as_str().into(),
            word(delivery.event).into(),
            option(delivery.item_key.as_deref()).into(),
            state.as_str().unwrap_or_default().to_owned().into(),
            delivery.attempts.len().to_string().into(),
            option(answer.as_deref()).into(),
        ]);
    }
    table
}

/// Prints a secret that is shown once: alone to stdout, what was done to stderr.
pub(super) fn show_secret(did: &str, made: &WebhookWithSecret, session: &Session<'_>) -> Result<(), Failure> {
    let output = session.output;
    if output.json {
        return output.json(made);
    }
    output.line(&made.secret)?;
    output.say(&format!("{did} the webhook {:?}. Its secret is shown only this once.", made.webhook.name));
    Ok(())
}
