//! What webhooks tell. What of it a webhook sends, a worker finds out ([`crate::webhooks`]).

use std::collections::BTreeMap;

use svc_domain::event::{
    CommentEvent, CommentRef, Event, ItemEvent, Occurrence, RunEvent, SprintEvent, SprintRef,
};
use svc_domain::ids::ItemKey;
use svc_domain::webhook::{WebhookEvent, WebhookNews};

/// What webhooks tell of a commit: the changes of an item's fields together.
pub(super) fn news(occurrences: &[Occurrence]) -> Vec<WebhookNews> {
    let mut news: Vec<WebhookNews> = occurrences.iter().filter_map(of_one).collect();
    news.extend(changes(occurrences).into_values());
    news
}

fn changes(occurrences: &[Occurrence]) -> BTreeMap<&ItemKey, WebhookNews> {
    let mut changes = BTreeMap::new();
    for occurrence in occurrences {
        let Event::Item(ItemEvent::Changed(item, change)) = &occurrence.event else { continue };
        let first = || told(occurrence, WebhookEvent::ItemChanged).about(item);
        let news: &mut WebhookNews = changes.entry(item).or_insert_with(first);
        news.changes.push(change.field.to_string());
    }
    changes
}

fn told(occurrence: &Occurrence, event: WebhookEvent) -> WebhookNews {
    WebhookNews::new(event, occurrence.at, occurrence.by.clone())
}

fn of_one(occurrence: &Occurrence) -> Option<WebhookNews> {
    let told = |event| told(occurrence, event);
    Some(match &occurrence.event {
        Event::Item(ItemEvent::Created(item) | ItemEvent::Received(item)) => {
            told(WebhookEvent::ItemCreated).about(item)
        }
        Event::Item(ItemEvent::Deleted(item)) => told(WebhookEvent::ItemDeleted).about(item),
        Event::Item(ItemEvent::Moved { item, from, to, .. }) => {
            let changes = vec![from.clone(), to.clone()];
            WebhookNews { changes, ..told(WebhookEvent::ItemMoved).about(item) }
        }
        Event::Comment(event) => of_comment(event, told)?,
        Event::Run(RunEvent::Ended(item, run, _)) => {
            WebhookNews { run: Some(*run), ..told(WebhookEvent::RunEnded).about(item) }
        }
        Event::Sprint(SprintEvent::Started(sprint)) => on_sprint(told(WebhookEvent::SprintStarted), sprint),
        Event::Sprint(SprintEvent::Completed(sprint)) => {
            on_sprint(told(WebhookEvent::SprintCompleted), sprint)
        }
        Event::Sprint(SprintEvent::Planned(_) | SprintEvent::Changed(_) | SprintEvent::Deleted(_))
        | Event::Item(_)
        | Event::Run(_)
        | Event::Org(_)
        | Event::Account(_)
        | Event::Instance(_)
        | Event::Project(_)
        | Event::ItemSaved(_)
        | Event::Wiki(_)
        | Event::Factory(_)
        | Event::Runner(_) => return None,
    })
}

fn of_comment(event: &CommentEvent, told: impl Fn(WebhookEvent) -> WebhookNews) -> Option<WebhookNews> {
    let (event, comment) = match event {
        CommentEvent::Created(comment) => (WebhookEvent::CommentCreated, comment),
        CommentEvent::Edited(comment) => (WebhookEvent::CommentEdited, comment),
        CommentEvent::Deleted(comment) => (WebhookEvent::CommentDeleted, comment),
        CommentEvent::AgentsAsked(..) | CommentEvent::Imported(..) | CommentEvent::ReactionSet(..) => {
            return None;
        }
    };
    let CommentRef { item, id, agents_work } = comment;
    Some(WebhookNews { comment: Some(*id), agents_work: *agents_work, ..told(event).about(item) })
}

fn on_sprint(news: WebhookNews, sprint: &SprintRef) -> WebhookNews {
    WebhookNews { project: Some(sprint.project.clone()), sprint: Some(sprint.id), ..news }
}
