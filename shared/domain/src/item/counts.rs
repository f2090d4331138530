//! How much is said on an item, as lists tell it. What counts is decided in [`crate::said`].

use serde::{Deserialize, Serialize};

/// The comments and attachments of an item. A part of stored rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// Comments.
    #[serde(skip_serializing_if = "is_zero")]
    pub comments: u32,
    /// Attachments.
    #[serde(skip_serializing_if = "is_zero")]
    pub attachments: u32,
    /// How often these changed: of two rows of the feed, the one that says more came later.
    #[serde(skip_serializing_if = "is_zero")]
    pub changes: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
const fn is_zero(value: &u32) -> bool {
    *value == 0
}

impl Counts {
    /// The same after so many came or, below zero, went.
    #[must_use]
    pub const fn changed(self, comments: i32, attachments: i32) -> Self {
        Self {
            comments: self.comments.saturating_add_signed(comments),
            attachments: self.attachments.saturating_add_signed(attachments),
            changes: self.changes.wrapping_add(1),
        }
    }

    /// Whether both count the same.
    pub const fn agrees_with(self, other: Self) -> bool {
        self.comments == other.comments && self.attachments == other.attachments
    }
}
