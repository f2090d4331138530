//! Who wrote a text of an item.

use serde::{Deserialize, Serialize};

use crate::ids::Actor;

/// Who wrote a text of an item last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Writer {
    /// The row is from before this was kept, and nobody wrote the text since.
    #[default]
    Unknown,
    /// Who created the item.
    Creator,
    /// Somebody else.
    Other(Actor),
}

impl Writer {
    pub(super) const fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown)
    }

    pub(super) fn of(who: &Actor, creator: &Actor) -> Self {
        if who.id == creator.id { Self::Creator } else { Self::Other(who.clone()) }
    }
}
