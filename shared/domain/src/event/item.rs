//! Events of items.

use crate::ids::{AttachmentId, ItemKey, RunId, UserId};
use crate::item::{FieldChange, Item};
use crate::item_link::ItemLink;
use crate::refinement::RefinementStatus;

/// The row of an item was written. Tells lists, sprints and search what changed; what people call the change is
/// another event beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedItem {
    /// The item before; `None` for a new one.
    pub before: Option<Item>,
    /// The item after.
    pub after: Item,
    /// Whether the row went instead: the item was deleted.
    pub gone: bool,
}

/// What happens to an item, its links and its files.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemEvent {
    /// An item was created.
    Created(ItemKey),
    /// An item was brought in from elsewhere: nobody is told of it, and nothing begins by it.
    Imported(ItemKey),
    /// An item was made of what arrived at an intake: nobody watches it by that.
    Received(ItemKey),
    /// An item was deleted.
    Deleted(ItemKey),
    /// A deleted item was brought back.
    Restored(ItemKey),
    /// An item came from another project, where it had the first key.
    Transferred(ItemKey, ItemKey),
    /// A field of an item changed.
    Changed(ItemKey, FieldChange),
    /// An item moved to another state.
    Moved {
        /// The item.
        item: ItemKey,
        /// State before.
        from: String,
        /// State after.
        to: String,
        /// The run that moved it.
        run: Option<RunId>,
    },
    /// An item entered a state in a project that has rules, by a person, a run, or when it was created.
    StateEntered {
        /// The item.
        item: ItemKey,
        /// The state.
        state: String,
        /// The run that moved it.
        run: Option<RunId>,
    },
    /// A run could not move its item, because the workflow does not permit it.
    MoveSkipped {
        /// The item.
        item: ItemKey,
        /// The state it is in.
        from: String,
        /// The state it was to move to.
        to: String,
        /// The run.
        run: RunId,
    },
    /// Somebody began to work on an item.
    Claimed {
        /// The item.
        item: ItemKey,
        /// Who held it before.
        from: Option<String>,
        /// The run that claimed it.
        run: Option<RunId>,
    },
    /// Somebody stopped working on an item.
    Released {
        /// The item.
        item: ItemKey,
        /// Who held it, where another released it.
        from: Option<String>,
        /// The run that released it.
        run: Option<RunId>,
    },
    /// A pull request was linked.
    PullRequestLinked {
        /// The item.
        item: ItemKey,
        /// Its address.
        url: String,
        /// The run that opened it.
        run: Option<RunId>,
    },
    /// The link of a pull request was taken away.
    PullRequestUnlinked(ItemKey, String),
    /// A pull request of an item asks for a follow-up.
    FollowUpRequested(ItemKey),
    /// An item was linked with another, as this to it. Each of the two has its own event.
    Linked(ItemKey, ItemLink),
    /// A link with another item was taken away.
    Unlinked(ItemKey, ItemLink),
    /// Subtasks have to follow their item out of a sprint (its id, `None` for the backlog).
    SubtasksLeftBehind(ItemKey, Option<String>),
    /// A person watches an item, or no longer.
    WatchSet(ItemKey, UserId, bool),
    /// A file was attached to an item under a name.
    Attached(ItemKey, AttachmentId, String),
    /// A file was removed from an item.
    Detached(ItemKey, AttachmentId, String),
    /// An upload was announced.
    UploadAnnounced(ItemKey, AttachmentId),
    /// The refinement of an item went on.
    RefinementChanged(ItemKey, RefinementStatus),
}
