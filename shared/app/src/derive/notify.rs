//! What people are told of: one message for each commit that may concern somebody. Who that is, a worker finds out.
//!
//! Whoever creates an item watches it from the beginning. Who comments on it or gets it assigned begins to later, in the
//! worker, because they may have stopped ([`crate::tracker::watchers`]).

use svc_domain::event::{
    CommentEvent, Event, FactoryEvent, ItemEvent, Occurrence, OrgEvent, RunEvent, SprintEvent, WebhookChange,
    WikiEvent,
};
use svc_domain::ids::{ActorId, ItemKey};
use svc_domain::refinement::RefinementStatus;
use svc_storage::{Condition, Op, keys};
use uuid::Uuid;

use super::webhooks;
use crate::App;
use crate::messages::{Happened, Notify, Told};
use crate::outbox::Outgoing;
use crate::tracker::watchers::Watcher;

/// The message about the events of the commit of this id. Where the organization has no webhooks, what only they would
/// tell sends none.
pub(super) fn message(
    app: &App,
    occurrences: &[Occurrence],
    has_webhooks: bool,
    commit: Uuid,
) -> Option<Outgoing> {
    let org = occurrences.iter().find_map(|occurrence| occurrence.org)?;
    let happened = |occurrence: &Occurrence| {
        let told = told(&occurrence.event, occurrences)?;
        Some(Happened { by: occurrence.by.clone(), at: occurrence.at, told })
    };
    let happened: Vec<Happened> = occurrences.iter().filter_map(happened).collect();
    let webhooks = if has_webhooks { webhooks::news(occurrences) } else { Vec::new() };
    let message = Notify { org, id: commit, happened, webhooks };
    let tells = !message.happened.is_empty() || !message.webhooks.is_empty();
    tells.then(|| Outgoing::of_commit(app, commit, message))
}

/// Whether an item that was created in a commit has an assignee.
fn is_assigned(item: &ItemKey, commit: &[Occurrence]) -> bool {
    commit.iter().any(|occurrence| {
        let Event::ItemSaved(saved) = &occurrence.event else { return false };
        saved.after.key == *item && saved.after.assignee.is_some()
    })
}

/// The rows that make the creator of an item its watcher.
pub(super) fn watches(occurrence: &Occurrence) -> Vec<Op> {
    let Event::Item(ItemEvent::Created(item)) = &occurrence.event else { return Vec::new() };
    let (Some(org), Some(who)) = (occurrence.org, occurrence.by.clone()) else { return Vec::new() };
    let ActorId::User(user) = who.id else { return Vec::new() };
    vec![
        Op::put(keys::watcher(org, item, user), Condition::None, &Watcher { who, stopped: false }),
        Op::put(keys::watching(org, user, item), Condition::None, item),
    ]
}

fn told(event: &Event, commit: &[Occurrence]) -> Option<Told> {
    match event {
        Event::Item(event) => of_item(event, commit),
        Event::Comment(event) => of_comment(event),
        Event::Sprint(SprintEvent::Started(sprint)) => {
            Some(Told::SprintStarted { project: sprint.project.clone(), sprint: sprint.id })
        }
        Event::Sprint(SprintEvent::Completed(sprint)) => {
            Some(Told::SprintCompleted { project: sprint.project.clone(), sprint: sprint.id })
        }
        Event::Wiki(WikiEvent::Written(page, Some(version))) => {
            let (project, path) = (page.project.clone(), page.path.clone());
            Some(Told::PageWritten { project, path, version: *version })
        }
        Event::Org(OrgEvent::InvitationAccepted(invitation, user)) => {
            Some(Told::InvitationAccepted { invitation: *invitation, user: *user })
        }
        Event::Org(OrgEvent::Webhook(id, name, WebhookChange::Disabled)) => {
            Some(Told::WebhookDisabled { webhook: *id, name: name.clone() })
        }
        Event::Run(RunEvent::Ended(item, run, status)) => {
            Some(Told::RunEnded { item: item.clone(), run: *run, status: *status })
        }
        Event::Factory(FactoryEvent::SchedulePaused(project, schedule, _)) => {
            Some(Told::SchedulePaused { project: project.clone(), schedule: *schedule })
        }
        Event::Org(_)
        | Event::Account(_)
        | Event::Instance(_)
        | Event::Project(_)
        | Event::ItemSaved(_)
        | Event::Sprint(SprintEvent::Planned(_) | SprintEvent::Changed(_) | SprintEvent::Deleted(_))
        | Event::Wiki(
            WikiEvent::Written(_, None)
            | WikiEvent::Moved(..)
            | WikiEvent::Deleted(_)
            | WikiEvent::Restored(_)
            | WikiEvent::AccessChanged(_)
            | WikiEvent::MoveUnfinished(_),
        )
        | Event::Factory(_)
        | Event::Runner(_)
        | Event::Run(
            RunEvent::Queued(..)
            | RunEvent::Returned(..)
            | RunEvent::Taken(..)
            | RunEvent::Started(..)
            | RunEvent::CancelRequested(..)
            | RunEvent::ContinuesLater(..),
        ) => None,
    }
}

fn of_item(event: &ItemEvent, commit: &[Occurrence]) -> Option<Told> {
    match event {
        ItemEvent::Created(item) if is_assigned(item, commit) => Some(Told::Assigned { item: item.clone() }),
        ItemEvent::Changed(item, change) if change.field == "assignee" && change.to.is_some() => {
            Some(Told::Assigned { item: item.clone() })
        }
        ItemEvent::Moved { item, to, run, .. } => {
            Some(Told::Moved { item: item.clone(), to: to.clone(), run: run.is_some() })
        }
        ItemEvent::Claimed { item, run, .. } => {
            Some(Told::Claimed { item: item.clone(), run: run.is_some() })
        }
        ItemEvent::RefinementChanged(item, RefinementStatus::Questions | RefinementStatus::Proposed) => {
            Some(Told::NeedsInput { item: item.clone() })
        }
        ItemEvent::RefinementChanged(..)
        | ItemEvent::Created(..)
        | ItemEvent::Imported(..)
        | ItemEvent::Received(..)
        | ItemEvent::Deleted(..)
        | ItemEvent::Restored(..)
        | ItemEvent::Transferred(..)
        | ItemEvent::Changed(..)
        | ItemEvent::StateEntered { .. }
        | ItemEvent::MoveSkipped { .. }
        | ItemEvent::Released { .. }
        | ItemEvent::PullRequestLinked { .. }
        | ItemEvent::PullRequestUnlinked(..)
        | ItemEvent::FollowUpRequested(..)
        | ItemEvent::Linked(..)
        | ItemEvent::Unlinked(..)
        | ItemEvent::SubtasksLeftBehind(..)
        | ItemEvent::WatchSet(..)
        | ItemEvent::Attached(..)
        | ItemEvent::Detached(..)
        | ItemEvent::UploadAnnounced(..) => None,
    }
}

fn of_comment(event: &CommentEvent) -> Option<Told> {
    match event {
        CommentEvent::Created(comment) => {
            Some(Told::Commented { item: comment.item.clone(), comment: comment.id })
        }
        CommentEvent::Edited(comment) => {
            Some(Told::CommentEdited { item: comment.item.clone(), comment: comment.id })
        }
        CommentEvent::ReactionSet(comment, emoji, true) => {
            Some(Told::Reacted { item: comment.item.clone(), comment: comment.id, emoji: *emoji })
        }
        CommentEvent::ReactionSet(..)
        | CommentEvent::AgentsAsked(..)
        | CommentEvent::Imported(..)
        | CommentEvent::Deleted(..) => None,
    }
}
