//! Outbound webhooks, between the domain and the wire, and the body of what they send.

use std::collections::BTreeSet;

use svc_api::webhooks as wire;
use svc_app::factory::runs::RunView;
use svc_app::webhooks::{Content, NewWebhook, SeenWebhook, WebhookEdit, WithSecret};
use svc_domain::ids::{DeliveryId, ProjectKey};
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_domain::webhook::{Delivery, Disabled, Skipped, WebhookEvent};

use crate::actor::actor;
use crate::words::{WireWord, Word};
use crate::{factory, tracker};

/// A wanted webhook.
///
/// # Errors
/// [`Refusal::Invalid`].
pub fn new_webhook(new: wire::NewOutboundWebhook) -> Result<NewWebhook, Refusal> {
    let wire::NewOutboundWebhook { name, url, events, projects, agents_work } = new;
    let mut errors = FieldErrors::default();
    let (events, projects) = (read_events(events, &mut errors), read_projects(projects, &mut errors));
    errors.into_result()?;
    Ok(NewWebhook { name, url, events, projects, agents_work })
}

/// A wanted change.
///
/// # Errors
/// [`Refusal::Invalid`].
pub fn edit(change: wire::UpdateOutboundWebhook) -> Result<WebhookEdit, Refusal> {
    let wire::UpdateOutboundWebhook { version, name, url, events, projects, agents_work, disabled } = change;
    let mut errors = FieldErrors::default();
    let events = events.map(|events| read_events(events, &mut errors));
    let projects = projects.map(|projects| read_projects(projects, &mut errors));
    errors.into_result()?;
    Ok(WebhookEdit { version, name, url, events, projects, agents_work, disabled })
}

fn read_events(events: Vec<wire::WebhookEvent>, errors: &mut FieldErrors) -> BTreeSet<WebhookEvent> {
    let mut known = BTreeSet::new();
    for event in events {
        match event.known() {
            Some(event) => drop(known.insert(event)),
            None => errors.add("events", "There is no such event."),
        }
    }
    known
}

fn read_projects(projects: Vec<String>, errors: &mut FieldErrors) -> BTreeSet<ProjectKey> {
    let read = |key: String| errors.check("projects", key.to_ascii_uppercase().parse::<ProjectKey>());
    projects.into_iter().filter_map(read).collect()
}

/// The place in a list of deliveries that is asked for.
///
/// # Errors
/// [`Refusal::Invalid`].
pub fn before(query: wire::WebhookDeliveryQuery) -> Result<Option<DeliveryId>, Refusal> {
    let wrong = |_| Refusal::invalid("before", "It must be the id of a delivery.");
    query.before.map(|id| id.parse().map_err(wrong)).transpose()
}

/// A webhook.
pub fn webhook(seen: SeenWebhook) -> wire::OutboundWebhook {
    let SeenWebhook { webhook, signs } = seen;
    wire::OutboundWebhook {
        id: webhook.id.to_string(),
        version: webhook.version,
        name: webhook.name,
        url: webhook.url,
        events: webhook.events.into_iter().map(Word::sent).collect(),
        projects: webhook.projects.iter().map(ToString::to_string).collect(),
        agents_work: webhook.agents_work,
        saved_by: actor(&webhook.saved_by),
        created_at: webhook.created_at,
        former_secret_until: webhook.former.map(|former| former.until),
        failing_since: webhook.failing_since,
        disabled: webhook.disabled.is_some(),
        disabled_reason: webhook.disabled.map(|disabled| why(disabled).to_owned()),
        problem: (!signs).then(|| UNSIGNED.to_owned()),
    }
}

/// What is wrong with a webhook that cannot sign.
const UNSIGNED: &str = "It sends nothing, because its secret was encrypted with a key that this instance does not have. Rotate \
                        the secret.";

const fn why(disabled: Disabled) -> &'static str {
    match disabled {
        Disabled::ByPerson => "It was turned off.",
        Disabled::Failing => "Its deliveries failed for three days.",
        Disabled::Gone => "Its address answered 410 Gone.",
    }
}

/// A webhook with its secret.
pub fn with_secret(made: WithSecret) -> wire::WebhookWithSecret {
    wire::WebhookWithSecret { secret: made.secret, webhook: webhook(made.webhook) }
}

/// A delivery.
pub fn delivery(delivery: Delivery) -> wire::WebhookDelivery {
    let attempts = delivery.attempts.into_iter();
    wire::WebhookDelivery {
        id: delivery.id.to_string(),
        event: delivery.news.event.sent(),
        at: delivery.news.at,
        item_key: delivery.news.item.map(|key| key.to_string()),
        state: delivery.state.sent(),
        skipped_reason: delivery.skipped.and_then(why_skipped).map(str::to_owned),
        next_attempt_at: delivery.next,
        attempts: attempts
            .map(|attempt| wire::WebhookAttempt {
                at: attempt.at,
                status: attempt.status,
                error: attempt.error,
            })
            .collect(),
    }
}

fn run(view: RunView) -> wire::WebhookRun {
    let operator = view.operator;
    let run = factory::view::run(view);
    if operator {
        return wire::WebhookRun::Whole(Box::new(run));
    }
    wire::WebhookRun::Short(wire::WebhookRunSummary {
        id: run.id,
        organization: run.organization,
        project: run.project,
        item: run.item,
        kind: run.kind,
        status: run.status,
        queued_at: run.queued_at,
        started_at: run.started_at,
        finished_at: run.finished_at,
        pull_request: run.pull_request,
    })
}

const fn why_skipped(skipped: Skipped) -> Option<&'static str> {
    match skipped {
        Skipped::Gone => Some("What it was about is gone."),
        Skipped::NotChosen => Some("The webhook does not send such events, or events of this project."),
        Skipped::Hidden => Some("The person who saved the webhook may not see it any more."),
        Skipped::Disabled => Some("The webhook was disabled or deleted."),
        Skipped::Unknown => None,
    }
}

/// The body of a delivery.
pub fn payload(content: Content) -> Vec<u8> {
    let payload = wire::WebhookPayload {
        event: content.event.sent(),
        timestamp: content.at,
        data: wire::WebhookData {
            webhook: content.webhook,
            organization: content.organization.as_ref().map(ToString::to_string),
            project: content.project.as_ref().map(ToString::to_string),
            by: content.by.as_ref().map(actor),
            item_key: content.item_key.as_ref().map(ToString::to_string),
            item: content.item.map(tracker::view::item),
            comment_id: content.comment_id.map(|id| id.to_string()),
            comment: content.comment.map(tracker::view::comment),
            run_id: content.run_id.map(|id| id.to_string()),
            run: content.run.map(run),
            sprint_id: content.sprint.as_ref().map(|sprint| sprint.id.to_string()),
            sprint_name: content.sprint.map(|sprint| sprint.name),
            changes: content.changes,
        },
    };
    serde_json::to_vec(&payload).unwrap_or_default()
}
