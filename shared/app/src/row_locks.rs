//! Serializes writers of one row within this process: the store would refuse all but one of them, each after
//! reads of its own. Other processes are not asked, so a commit demands what it read all the same.

use std::sync::Arc;

use svc_domain::ids::{ItemKey, OrgId, OrgSlug, UserId};
use tokio::sync::Mutex;

use crate::weak_map::WeakMap;

/// A turn that others wait for while it is locked.
pub(crate) type Turn = Arc<Mutex<()>>;

/// The turns of this process.
#[derive(Default)]
pub struct RowLocks {
    of_links: WeakMap<OrgSlug, Mutex<()>>,
    of_counts: WeakMap<(OrgSlug, ItemKey), Mutex<()>>,
    of_starts: WeakMap<OrgId, Mutex<()>>,
    of_people: WeakMap<UserId, Mutex<()>>,
    of_runners: WeakMap<OrgId, Mutex<()>>,
    of_storage: WeakMap<OrgId, Mutex<()>>,
}

impl RowLocks {
    /// To add links by which items of an organization block others: one counter guards them all.
    pub(crate) fn of_links(&self, org: &OrgSlug) -> Turn {
        self.of_links.get(org.clone(), Mutex::default)
    }

    /// To change what is counted of an item, which its row tells.
    pub(crate) fn of_counts(&self, org: &OrgSlug, item: &ItemKey) -> Turn {
        self.of_counts.get((org.clone(), item.clone()), Mutex::default)
    }

    /// To begin a run of an organization that has budgets: one row guards them all.
    pub(crate) fn of_starts(&self, org: OrgId) -> Turn {
        self.of_starts.get(org, Mutex::default)
    }

    /// To make what a person may have a number of: tokens and organizations.
    pub(crate) fn of_person(&self, user: UserId) -> Turn {
        self.of_people.get(user, Mutex::default)
    }

    /// To make runners of an organization, which has a number of them at most.
    pub(crate) fn of_runners(&self, org: OrgId) -> Turn {
        self.of_runners.get(org, Mutex::default)
    }

    /// To announce attachments of an organization, which has a number of bytes for them.
    pub(crate) fn of_storage(&self, org: OrgId) -> Turn {
        self.of_storage.get(org, Mutex::default)
    }
}
