//! The runs of organizations in memory of this process, so that lists of all runs cost the same whether an organization
//! has a thousand of them or a million.
//!
//! Protocol.
//! 1. Each run has one row in its organization's list of runs, named by the run's id. Ids are ordered by the clocks of
//!    those who make them, shortly before they commit.
//! 2. A cold start reads the whole list. Its *mark* is the time at which it began. If it is given up on the way, the next
//!    reader goes on where it stopped.
//! 3. A refresh reads what may have changed since its predecessor's mark, less [`OVERLAP`]: the rows of the runs that
//!    came since, and of those from before that had not ended. What has ended stays as it is, except for its item.
//! 4. An item gets another key when it moves to another project. The rows of its runs follow later, in batches; each
//!    batch leaves a row in the same list, between the runs of its time, that names them ([`keys::moved_runs`]). A
//!    refresh that meets one for the first time reads the rows of those runs again.
//! 5. A purge tells nobody, and need not: what it takes away was hidden before. A deleted project is not visible, a
//!    deleted item is not in its project's feed, and neither name is used again.
//! 6. A reader waits for a refresh that *began after the reader came*, and so sees everything that was committed before,
//!    by whichever process, as long as clocks differ and commits last less than the overlap. One refresh runs at a
//!    time, and all who came while it ran share the next one.
//! 7. A process whose commits are the only ones (`Table::alone`) knows which rows they write ([`touched`]). Where it was alone
//!    from one refresh to the next, the latter reads those, and nothing twice.
//! 8. If the clock stepped back, or nobody asked for an hour, everything is read again. Rows of moved runs stay longer
//!    than that.
//!
//! Owns the memory; [`refresh`] reads, and [`super::listing`] makes lists of it.
//!
//! Memory is bounded by the number of runs: the organizations that were not asked about for longest are forgotten.
//!
//! [`keys::moved_runs`]: svc_storage::keys::moved_runs

mod refresh;
mod touched;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use jiff::{SignedDuration, Timestamp};
use parking_lot::{Mutex, RwLock, RwLockReadGuard, RwLockWriteGuard};
use svc_domain::ids::{OrgId, RunId};
use svc_domain::run::list::RunList;
use svc_storage::Cursor;

/// By how much clocks may differ, and how long it may take from a run's id to its commit. In between, its prompt is
/// assembled.
const OVERLAP: SignedDuration = SignedDuration::from_mins(1);

/// An organization takes as much memory as so many runs, beside that of its runs.
const OF_ORG: usize = 32;

/// The lists of runs of this process.
pub struct RunLists {
    kept: Arc<Mutex<Kept>>,
    capacity: usize,
}

#[derive(Default)]
struct Kept {
    orgs: HashMap<OrgId, Slot>,
    /// What commits of this process change.
    touches: HashMap<OrgId, HashMap<RunId, Touch>>,
    /// Counts uses.
    uses: u64,
}

/// What is noted of a run.
#[derive(Default)]
struct Touch {
    /// Commits that are on their way.
    open: usize,
    /// Until when one may happen that nobody waits for.
    until: Option<Timestamp>,
    changed: bool,
}

struct Slot {
    runs: Arc<OrgRuns>,
    last_use: u64,
}

/// The runs of an organization, or some of them.
#[derive(Default)]
pub(super) struct OrgRuns {
    list: RwLock<RunList>,
    len: AtomicUsize,
    /// Number of the last refresh that began.
    begun: AtomicU64,
    reader: tokio::sync::Mutex<Reader>,
}

/// What the one who refreshes must know.
#[derive(Default)]
struct Reader {
    /// Number of the last refresh that succeeded.
    done: u64,
    /// When it began; `None` before the first.
    mark: Option<Timestamp>,
    /// Since when the process was alone then, if it was ([`Table::alone`](svc_storage::Table::alone)).
    era: Option<u64>,
    /// Sort keys of the rows of moved runs that it met.
    met: HashSet<String>,
    /// A cold start that was given up on the way.
    unfinished: Option<ColdStart>,
}

/// A cold start on its way.
struct ColdStart {
    /// When it began.
    mark: Timestamp,
    /// What it has read.
    list: RunList,
    /// Where it goes on; `None` at the beginning.
    cursor: Option<Cursor>,
}

impl RunLists {
    /// Lists that keep about this many runs in memory.
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self { kept: Arc::default(), capacity }
    }

    /// What is kept of an organization, and whether nothing was until now.
    fn slot(&self, org: OrgId) -> (Arc<OrgRuns>, bool) {
        let mut kept = self.kept.lock();
        kept.uses += 1;
        let (before, last_use) = (kept.orgs.len(), kept.uses);
        let slot = kept.orgs.entry(org).or_insert_with(|| Slot { runs: Arc::default(), last_use });
        slot.last_use = last_use;
        let runs = Arc::clone(&slot.runs);
        (runs, kept.orgs.len() > before)
    }

    /// Forgets organizations until the rest fits, but never the one used last.
    fn make_room(&self) {
        let mut kept = self.kept.lock();
        let mut total: usize = kept.orgs.values().map(Slot::weight).sum();
        if total <= self.capacity {
            return;
        }
        let mut oldest: Vec<(u64, OrgId)> =
            kept.orgs.iter().map(|(org, slot)| (slot.last_use, *org)).collect();
        oldest.sort_unstable();
        oldest.pop();
        for (_, org) in oldest {
            if total <= self.capacity {
                return;
            }
            total -= kept.orgs.remove(&org).map_or(0, |slot| slot.weight());
        }
    }
}

impl Slot {
    /// In runs.
    fn weight(&self) -> usize {
        self.runs.len.load(Ordering::Relaxed) + OF_ORG
    }
}

impl OrgRuns {
    /// These runs and no others.
    pub(super) fn of(list: RunList) -> Self {
        Self { list: RwLock::new(list), ..Self::default() }
    }

    /// The runs, to ask. Let them go before waiting for anything.
    pub(super) fn read(&self) -> RwLockReadGuard<'_, RunList> {
        self.list.read()
    }

    /// The runs, to tell which items are there.
    pub(super) fn write(&self) -> RwLockWriteGuard<'_, RunList> {
        self.list.write()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use svc_domain::ids::OrgId;
    use uuid::Uuid;

    use super::{OF_ORG, RunLists};

    fn org(n: u128) -> OrgId {
        OrgId(Uuid::from_u128(n))
    }

    /// As if that many runs of the organization had been read.
    fn read(lists: &RunLists, n: u128, runs: usize) {
        lists.slot(org(n)).0.len.store(runs, Ordering::Relaxed);
        lists.make_room();
    }

    fn kept(lists: &RunLists) -> Vec<OrgId> {
        let mut kept: Vec<OrgId> = lists.kept.lock().orgs.keys().copied().collect();
        kept.sort_unstable();
        kept
    }

    #[test]
    fn organizations_that_nobody_asked_about_for_longest_are_forgotten() {
        let lists = RunLists::with_capacity(1_000);
        for n in 1..=3 {
            read(&lists, n, 250);
        }
        // The first is asked about again.
        assert!(!lists.slot(org(1)).1);
        read(&lists, 4, 250);
        assert_eq!(kept(&lists), [org(1), org(3), org(4)]);
        read(&lists, 5, 5_000);
        assert_eq!(kept(&lists), [org(5)], "one is kept whatever its size");
        read(&lists, 6, 1);
        assert_eq!(kept(&lists), [org(6)]);
    }

    #[test]
    fn organizations_without_runs_take_room_as_well() {
        let lists = RunLists::with_capacity(10 * OF_ORG);
        for n in 1..=100 {
            assert!(lists.slot(org(n)).1);
            lists.make_room();
        }
        assert_eq!(kept(&lists), (91..=100).map(org).collect::<Vec<_>>());
    }
}
