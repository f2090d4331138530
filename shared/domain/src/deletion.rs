//! That something was deleted, by whom and when: kept in the row of agents and playbooks, which stays because history,
//! runs and settings name it.
//!
//! | state    | its row                       | it can                                                       |
//! |----------|-------------------------------|--------------------------------------------------------------|
//! | there    | without a [`Deletion`]        | be deleted by those who manage it                            |
//! | deleted  | with one                      | do nothing new; be restored by the same people for [`KEPT`]  |
//! | gone     | with one older than [`KEPT`]  | only be named by what happened                               |

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::ids::Actor;
use crate::refusal::Refusal;

/// For how long what was deleted can be restored.
pub const KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Who deleted something, and when. Part of stored rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Deletion {
    /// Who.
    pub by: Actor,
    /// When.
    pub at: Timestamp,
}

impl Deletion {
    /// Until when it can be undone.
    pub fn until(&self) -> Timestamp {
        self.at.checked_add(KEPT).unwrap_or(Timestamp::MAX)
    }

    /// Whether it can be undone.
    pub fn can_be_undone(&self, now: Timestamp) -> bool {
        now < self.until()
    }

    /// Why what was deleted cannot be used; `restorers` are those who can restore it.
    pub fn refusal(&self, what: &'static str, restorers: &'static str, now: Timestamp) -> Refusal {
        let until = self.can_be_undone(now).then(|| self.until());
        Refusal::Deleted { what, restorers, until }
    }
}
