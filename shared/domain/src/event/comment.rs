//! Events of comments.

use crate::comment::Comment;
use crate::ids::{CommentId, ItemKey};
use crate::reaction::Emoji;

/// A comment, as events name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommentRef {
    /// Its item.
    pub item: ItemKey,
    /// The comment.
    pub id: CommentId,
    /// Whether it is hidden from who does not see what agents say.
    pub agents_work: bool,
}

impl CommentRef {
    /// This comment on an item.
    pub fn of(item: &ItemKey, comment: &Comment) -> Self {
        Self { item: item.clone(), id: comment.id, agents_work: comment.is_agents_work() }
    }
}

/// What happens to a comment on an item.
#[derive(Clone, Debug, PartialEq)]
pub enum CommentEvent {
    /// A comment was written.
    Created(CommentRef),
    /// A comment was brought in from elsewhere, or a file of it: nobody is told of it, and nothing begins by it.
    Imported(CommentRef),
    /// A comment's text changed.
    Edited(CommentRef),
    /// A comment asks other agents than before, or none any more: by a person who may start their runs.
    AgentsAsked(ItemKey),
    /// A comment was deleted.
    Deleted(CommentRef),
    /// Somebody reacted to a comment, for the first time if this says so, or took the reaction back.
    ReactionSet(CommentRef, Emoji, bool),
}
