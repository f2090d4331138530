//! Items that were deleted: who may delete one, what is kept of it, and what it is when it comes back.
//!
//! | state    | its row                | it can                                                                |
//! |----------|------------------------|-----------------------------------------------------------------------|
//! | there    | the item               | be deleted by an Admin of the project and by the person who made it   |
//! | deleted  | a [`DeletedItem`]      | be brought back for [`KEPT`] by the same, and by its deleter          |
//! | gone     | one without its item   | nothing; its number is never used again                               |

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::access::{Access, Capability};
use crate::claim::Claim;
use crate::deletion::KEPT;
use crate::ids::{Actor, ItemKey};
use crate::item::Item;
use crate::refusal::Refusal;
use crate::workflow::Workflow;

/// What is kept of an item that was deleted. A stored row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeletedItem {
    /// Its key.
    pub key: ItemKey,
    /// The item as it was deleted; `None` when it cannot be brought back any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<Item>,
    /// The version that its row had. Absent in rows from before this was kept.
    #[serde(default)]
    pub row_version: u64,
    /// The person or agent that deleted it.
    pub by: Actor,
    /// When.
    pub at: Timestamp,
}

impl DeletedItem {
    /// Until when it can be restored.
    pub fn until(&self) -> Timestamp {
        self.at.checked_add(KEPT).unwrap_or(Timestamp::MAX)
    }

    /// The version in which its row comes back: later than any that was read.
    pub const fn next_row_version(&self) -> u64 {
        self.row_version + 1
    }

    /// The item, as long as it can be brought back.
    pub fn kept(&self, now: Timestamp) -> Option<&Item> {
        self.item.as_ref().filter(|_| now < self.until())
    }

    /// Why there is no such item.
    pub fn refusal(&self, now: Timestamp) -> Refusal {
        Refusal::ItemDeleted { until: self.kept(now).map(|_| self.until()) }
    }

    /// Whether the caller's role lets them bring it back, and so know of it.
    pub fn concerns(&self, access: &Access, item: &Item) -> bool {
        let own = || [&self.by, &item.created_by].iter().any(|actor| actor.id == access.actor.id);
        !access.is_agent() && (access.configures() || own())
    }

    /// Whether the caller may bring it back now.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`].
    pub fn require_restore(&self, access: &Access, item: &Item) -> Result<(), Refusal> {
        if self.concerns(access, item) {
            return access.require(Capability::Work);
        }
        Err(Refusal::Forbidden(
            "only Admins of the project, and the people who created and deleted the item, can restore it",
        ))
    }
}

impl Item {
    /// Whether the caller's role and credential let them delete it, regardless of claims and runs.
    pub fn may_be_deleted(&self, access: &Access) -> bool {
        let own = || self.created_by.id == access.actor.id && access.may(Capability::Work);
        !access.is_agent() && (access.may(Capability::ConfigureProject) || own())
    }

    /// Whether the caller may delete it now.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`]; [`Refusal::LiveRunExists`]; [`Refusal::ItemClaimed`] while another person works on it.
    pub fn require_delete(
        &self,
        access: &Access,
        now: Timestamp,
        stale_after: SignedDuration,
    ) -> Result<(), Refusal> {
        require_person(access)?;
        if !self.may_be_deleted(access) {
            return Err(Refusal::Forbidden(
                "only Admins of the project, and the person who created the item, can delete it",
            ));
        }
        if let Some(run) = self.live_run {
            return Err(Refusal::LiveRunExists { run });
        }
        let held = |claim: &&Claim| claim.holder.id != access.actor.id && !claim.is_stale(now, stale_after);
        match self.claim.as_ref().filter(held) {
            Some(claim) => Err(Refusal::ItemClaimed { holder: claim.holder.name.clone() }),
            None => Ok(()),
        }
    }

    /// The item as it comes back into a workflow that may have changed meanwhile: in a state that there is.
    #[must_use]
    pub fn restored(mut self, workflow: &Workflow, now: Timestamp) -> Self {
        if workflow.find(&self.state).is_none() {
            let first = workflow.first();
            self.enter(&first.name, first.group, now);
        }
        self
    }
}

/// Whether the caller is a person.
///
/// # Errors
/// [`Refusal::Forbidden`] for agents.
pub fn require_person(access: &Access) -> Result<(), Refusal> {
    if access.is_agent() {
        return Err(Refusal::Forbidden("only people can delete and restore items"));
    }
    Ok(())
}
