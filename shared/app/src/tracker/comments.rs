//! Comments on items: the discussion as a caller sees it, writing, editing, deleting, reacting, and what edits changed
//! (specification sections 2.3, 4.1 rule 3 and 6.3).
//!
//! A deleted comment keeps its row without text, so that whoever answers at the same moment joins a thread
//! that is there; readers see it only while it holds replies together.

mod edits;
mod list;
mod mentions;
mod reactions;
mod read;
mod requests;
mod tallies;
mod write;

pub use edits::{Edit, list as list_edits, text_change};
pub use list::list;
pub(crate) use list::of_item;
pub(crate) use mentions::mentioned;
pub use mentions::{Outcome, Reach};
pub use reactions::{add as add_reaction, remove as remove_reaction};
pub use read::get;
pub(crate) use read::{is_for_all, sees, visible};
pub(crate) use write::require_author;
pub use write::{create, delete, edit};

use svc_domain::access::Capability;
use svc_domain::comment::Comment;
use svc_domain::ids::{CommentId, ItemKey, OrgId};
use svc_domain::reaction::Tally;

use crate::App;
use crate::entry::Entry;
use crate::error::Result;

/// A comment as a caller sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenComment {
    /// The comment.
    pub comment: Comment,
    /// Its version.
    pub version: u64,
    /// Whether the caller may react to it.
    pub can_react: bool,
    /// Whether the caller may change its text.
    pub can_edit: bool,
    /// Whether the caller may delete it.
    pub can_delete: bool,
    /// Who reacted how, in the order of the fixed set.
    pub reactions: Vec<Tally>,
    /// Whom the mentions reach that it was just written with.
    pub reach: Vec<Reach>,
}

/// Clears what is left of a deleted comment in rows of their own: its reactions, and what its edits changed.
///
/// # Errors
/// Those of storage.
pub async fn clear(app: &App, org: OrgId, item: &ItemKey, comment: CommentId) -> Result<()> {
    reactions::clear(app, org, item, comment).await?;
    edits::clear(app, org, item, comment).await
}

impl SeenComment {
    fn of(entry: &Entry, mut comment: Comment, version: u64, reactions: Vec<Tally>) -> Self {
        if !entry.access.may(Capability::SeeFactory) {
            comment.failure = None;
        }
        let can_react = !comment.deleted && entry.access.may(Capability::Comment);
        let can_edit = can_react && comment.author.id == entry.actor().id;
        let can_delete = can_edit || (can_react && entry.access.configures());
        Self { comment, version, can_react, can_edit, can_delete, reactions, reach: Vec::new() }
    }
}

/// A comment to write.
#[derive(Clone, Debug)]
pub struct NewComment {
    /// Text, Markdown.
    pub body: String,
    /// Id of a comment in the thread that it joins.
    pub reply_to: Option<String>,
    /// Ids of the caller's committed attachments that are to be its own.
    pub attachments: Vec<String>,
}

/// A wanted change of a comment.
#[derive(Clone, Debug)]
pub struct EditComment {
    /// The version last read.
    pub version: u64,
    /// New text, Markdown.
    pub body: String,
}
