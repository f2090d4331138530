//! What of an item an attachment is on.

use serde::{Deserialize, Serialize};

use crate::ids::CommentId;

/// What an attachment belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Target {
    /// The item itself.
    Item,
    /// A comment on the item, which is written after its attachments.
    Comment(Option<CommentId>),
}
