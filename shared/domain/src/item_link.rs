//! Links between items of an organization, and what they say about whether an item is blocked.
//!
//! | kind         | the other item says | limits                                                              |
//! |--------------|---------------------|---------------------------------------------------------------------|
//! | `blocks`     | `blockedBy`         | no circles: an item never waits for itself, however long the way is |
//! | `duplicates` | `duplicatedBy`      | of two items, one is the duplicate of the other                     |
//! | `relates`    | `relates`           | none                                                                |
//!
//! An item is blocked while a person says so, or while an item that blocks it is open: in a state of the group backlog or
//! active. Each of the two comes and goes by itself. Both items keep the link in their rows.

use serde::{Deserialize, Serialize};

use crate::ids::ItemKey;
use crate::word::word_enum;

word_enum! {
    /// How an item relates to the item that it is linked to.
    LinkKind {
        /// The other item waits until this one is resolved or closed.
        Blocks = "blocks",
        /// This item waits until the other one is resolved or closed.
        BlockedBy = "blockedBy",
        /// The items are related.
        Relates = "relates",
        /// This item duplicates the other one.
        Duplicates = "duplicates",
        /// The other item duplicates this one.
        DuplicatedBy = "duplicatedBy",
    }
}

impl LinkKind {
    /// What the other item is to this one.
    pub const fn inverse(self) -> Self {
        match self {
            Self::Blocks => Self::BlockedBy,
            Self::BlockedBy => Self::Blocks,
            Self::Relates => Self::Relates,
            Self::Duplicates => Self::DuplicatedBy,
            Self::DuplicatedBy => Self::Duplicates,
        }
    }
}

/// A link as an item keeps it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ItemLink {
    /// How the item relates to the other item.
    pub kind: LinkKind,
    /// The other one.
    pub item: ItemKey,
}

/// Most links between one item and others: as many as one commit can judge.
pub const MAX_ITEM_LINKS: usize = 30;

#[cfg(test)]
mod tests {
    use super::LinkKind;

    #[test]
    fn what_one_is_to_the_other_the_other_is_back() {
        for kind in LinkKind::ALL {
            assert_eq!(kind.inverse().inverse(), *kind);
        }
    }
}
