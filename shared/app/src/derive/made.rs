//! What a request created or changed, remembered under its idempotency key.

use serde::{Deserialize, Serialize};
use svc_domain::event::{CommentEvent, Event, ItemEvent, OrgEvent, ProjectEvent, RunEvent, SprintEvent};
use svc_domain::ids::{CommentId, ItemKey, OrgSlug, ProjectKey, RunId, SprintId};

/// What a request did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Made {
    /// Whether it was created by the request, or only changed.
    pub created: bool,
    /// What it is.
    pub what: What,
}

/// Something that has an address of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum What {
    /// An organization.
    Org(OrgSlug),
    /// A project.
    Project(ProjectKey),
    /// An item.
    Item(ItemKey),
    /// A comment on an item.
    Comment(ItemKey, CommentId),
    /// A sprint.
    Sprint(SprintId),
    /// A run.
    Run(RunId),
}

/// What an event says that its request made, where that can be read at an address.
pub(super) fn of(event: &Event) -> Option<Made> {
    let created = |what| Some(Made { created: true, what });
    let changed = |what| Some(Made { created: false, what });
    match event {
        Event::Org(OrgEvent::Created(slug)) => created(What::Org(slug.clone())),
        Event::Project(ProjectEvent::Created(project)) => created(What::Project(project.clone())),
        Event::Item(event) => item(event),
        Event::Comment(CommentEvent::Created(comment)) => {
            created(What::Comment(comment.item.clone(), comment.id))
        }
        Event::Sprint(SprintEvent::Planned(sprint)) => created(What::Sprint(sprint.id)),
        Event::Sprint(SprintEvent::Started(sprint)) => changed(What::Sprint(sprint.id)),
        Event::Run(RunEvent::Queued(_, run, _)) => created(What::Run(*run)),
        Event::Run(RunEvent::CancelRequested(_, run) | RunEvent::Ended(_, run, _)) => {
            changed(What::Run(*run))
        }
        Event::Org(_)
        | Event::Account(_)
        | Event::Instance(_)
        | Event::Project(_)
        | Event::ItemSaved(_)
        | Event::Comment(
            CommentEvent::Imported(_)
            | CommentEvent::Edited(_)
            | CommentEvent::AgentsAsked(_)
            | CommentEvent::Deleted(_)
            | CommentEvent::ReactionSet(..),
        )
        | Event::Sprint(SprintEvent::Changed(_) | SprintEvent::Completed(_) | SprintEvent::Deleted(_))
        | Event::Wiki(_)
        | Event::Factory(_)
        | Event::Runner(_)
        | Event::Run(
            RunEvent::Returned(..)
            | RunEvent::Taken(..)
            | RunEvent::Started(..)
            | RunEvent::ContinuesLater(..),
        ) => None,
    }
}

fn item(event: &ItemEvent) -> Option<Made> {
    let made = |created, item: &ItemKey| Some(Made { created, what: What::Item(item.clone()) });
    match event {
        ItemEvent::Created(item) => made(true, item),
        ItemEvent::Restored(item)
        | ItemEvent::Transferred(_, item)
        | ItemEvent::Changed(item, _)
        | ItemEvent::Moved { item, .. }
        | ItemEvent::Claimed { item, .. }
        | ItemEvent::Released { item, .. }
        | ItemEvent::PullRequestLinked { item, .. }
        | ItemEvent::PullRequestUnlinked(item, _)
        | ItemEvent::Linked(item, _)
        | ItemEvent::Unlinked(item, _) => made(false, item),
        ItemEvent::Imported(..)
        | ItemEvent::Received(..)
        | ItemEvent::Deleted(..)
        | ItemEvent::StateEntered { .. }
        | ItemEvent::MoveSkipped { .. }
        | ItemEvent::FollowUpRequested(..)
        | ItemEvent::SubtasksLeftBehind(..)
        | ItemEvent::WatchSet(..)
        | ItemEvent::Attached(..)
        | ItemEvent::Detached(..)
        | ItemEvent::UploadAnnounced(..)
        | ItemEvent::RefinementChanged(..) => None,
    }
}
