//! Warm project feeds of this process: each project's items in memory, brought up to date by reading only the
//! rows that changed.
//!
//! Protocol.
//! 1. The commit that changes an item moves its feed row to the time of the change. So the rows of a feed are
//!    ordered by the writers' clocks, with one row for each item.
//! 2. A cold start reads the whole partition. Its *mark* is the time at which it began. For a large project it
//!    reads a snapshot, takes over the snapshot's mark, and then reads what changed since
//!    ([`super::feed_snapshots`]).
//! 3. A refresh reads the rows after its predecessor's mark, less [`OVERLAP`]. Everything that was committed
//!    since has a later time than that, as long as the differences of clocks and the duration of commits stay
//!    below the overlap. Rows that were read before are skipped; the rest is applied, which is idempotent.
//!    A process whose commits are the only ones (`Table::alone`) knows which of them are on their way
//!    ([`crate::feed_clock`]): it reads from the first of those on, and nothing twice. That number is taken before the
//!    rows are read, and holds for the next refresh if the process was alone from the one to the other.
//! 4. A reader waits for a refresh that *began after the reader came*, and so sees everything that was committed
//!    before, by whichever process. One refresh runs at a time, and all who came while it ran share the next one.
//! 5. If the clock stepped back, or nobody read the feed for an hour, the feed is read again from the start.
//!    Deletions must leave a row for longer than that.
//!
//! Owns the memory; [`refresh`] reads.
//!
//! Memory is bounded by the number of entries (a setting): the least recently used feeds are forgotten.

mod refresh;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use jiff::{SignedDuration, Timestamp};
use parking_lot::{Mutex, RwLock, RwLockReadGuard};
use serde_json::value::RawValue;
use svc_domain::feed::{FeedEntry, FeedIndex};
use svc_domain::ids::{OrgId, ProjectKey};
use svc_domain::workflow::StateGroup;

pub(crate) use refresh::follows;

/// By how much clocks may differ and commits may last.
pub(super) const OVERLAP: SignedDuration = SignedDuration::from_secs(10);

/// Rendered entries that a feed keeps: those of a large board.
const RENDERED: usize = 6_000;

/// An entry of a list.
#[derive(Clone, Copy, Debug)]
pub struct ListedItem<'a> {
    /// What the feed keeps of the item.
    pub entry: &'a FeedEntry,
    /// Group of its state.
    pub state_group: StateGroup,
    /// Whether it is claimed and anyone may take it over.
    pub claim_is_stale: bool,
    /// How many items belong to it, where that is known.
    pub children: Option<u64>,
}

/// An entry as the API shows it, written once and sent until the item changes.
pub type Rendered = Arc<RawValue>;

/// The feeds of this process.
pub struct Feeds {
    kept: Mutex<Kept>,
    capacity: usize,
}

#[derive(Default)]
struct Kept {
    feeds: HashMap<(OrgId, ProjectKey), Slot>,
    /// Counts uses.
    uses: u64,
}

struct Slot {
    feed: Arc<Feed>,
    last_use: u64,
}

/// The feed of one project.
pub struct Feed {
    org: OrgId,
    project: ProjectKey,
    index: RwLock<FeedIndex>,
    /// What was made of entries, by number. Written under either lock of the index: put in by who reads, and
    /// taken out by who changes.
    rendered: Mutex<HashMap<u64, Memo>>,
    len: AtomicUsize,
    /// Changes that no snapshot holds and nobody has asked to have in one.
    unsaved: AtomicUsize,
    /// The mark of what is in memory.
    mark: Mutex<Option<Timestamp>>,
    /// Number of the last refresh that began.
    begun: AtomicU64,
    reader: tokio::sync::Mutex<Reader>,
}

/// What was made of an entry, and what it depends on besides.
struct Memo {
    state_group: StateGroup,
    claim_is_stale: bool,
    children: Option<u64>,
    rendered: Rendered,
}

/// What the one who refreshes must know.
#[derive(Default)]
struct Reader {
    /// Number of the last refresh that succeeded.
    done: u64,
    /// When it began; `None` before the first.
    mark: Option<Timestamp>,
    /// What was settled then, of a process that was alone.
    settled: Option<Settled>,
    /// Version of each row that it read, by sort key.
    recent: HashMap<String, u64>,
}

/// The changes of a process that is alone which a refresh need not read again.
#[derive(Clone, Copy, Debug)]
struct Settled {
    /// Since when it is alone.
    era: u64,
    /// Those before this place.
    place: i64,
}

impl Feeds {
    /// Feeds that keep about this many entries in memory.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { kept: Mutex::default(), capacity }
    }

    fn slot(&self, org: OrgId, project: &ProjectKey) -> Arc<Feed> {
        let mut kept = self.kept.lock();
        kept.uses += 1;
        let last_use = kept.uses;
        let slot = kept
            .feeds
            .entry((org, project.clone()))
            .or_insert_with(|| Slot { feed: Arc::new(Feed::new(org, project.clone())), last_use });
        slot.last_use = last_use;
        Arc::clone(&slot.feed)
    }

    /// The feed of a project as this process last read it, if it is in memory.
    pub(super) fn warm(&self, org: OrgId, project: &ProjectKey) -> Option<Arc<Feed>> {
        let kept = self.kept.lock();
        let feed = Arc::clone(&kept.feeds.get(&(org, project.clone()))?.feed);
        let is_read = feed.mark.lock().is_some();
        is_read.then_some(feed)
    }

    /// Forgets feeds until the rest fits, but never the one used last.
    fn make_room(&self) {
        let mut kept = self.kept.lock();
        let mut total: usize = kept.feeds.values().map(|slot| slot.feed.len.load(Ordering::Relaxed)).sum();
        while total > self.capacity && kept.feeds.len() > 1 {
            let oldest = kept.feeds.iter().min_by_key(|(_, slot)| slot.last_use);
            let Some(key) = oldest.map(|(key, _)| key.clone()) else { return };
            if let Some(slot) = kept.feeds.remove(&key) {
                total -= slot.feed.len.load(Ordering::Relaxed);
            }
        }
    }
}

impl Feed {
    fn new(org: OrgId, project: ProjectKey) -> Self {
        Self {
            org,
            index: RwLock::new(FeedIndex::new(project.clone())),
            project,
            rendered: Mutex::default(),
            len: AtomicUsize::new(0),
            unsaved: AtomicUsize::new(0),
            mark: Mutex::default(),
            begun: AtomicU64::new(0),
            reader: tokio::sync::Mutex::default(),
        }
    }

    /// The items, to ask. Let it go before waiting for anything.
    pub fn read(&self) -> RwLockReadGuard<'_, FeedIndex> {
        self.index.read()
    }

    /// What `render` makes of entries of `index`, remembered until they change.
    pub(crate) fn render<'a>(
        &self,
        index: &RwLockReadGuard<'_, FeedIndex>,
        listed: impl Iterator<Item = ListedItem<'a>>,
        render: impl Fn(ListedItem<'_>) -> Rendered,
    ) -> Vec<Rendered> {
        debug_assert!(std::ptr::eq(RwLockReadGuard::rwlock(index), &self.index), "the lock is this feed's");
        let mut parse_cache = self.rendered.lock();
        let show = |item: ListedItem<'a>| {
            let ListedItem { entry, state_group, claim_is_stale, children } = item;
            let memo = parse_cache.get(&entry.number);
            let fits = |memo: &&Memo| {
                memo.state_group == state_group
                    && memo.claim_is_stale == claim_is_stale
                    && memo.children == children
            };
            if let Some(memo) = memo.filter(fits) {
                return Arc::clone(&memo.rendered);
            }
            if parse_cache.len() >= RENDERED {
                parse_cache.clear();
            }
            let rendered = render(item);
            let memo = Memo { state_group, claim_is_stale, children, rendered: Arc::clone(&rendered) };
            parse_cache.insert(entry.number, memo);
            rendered
        };
        listed.map(show).collect()
    }

    fn put(&self, index: FeedIndex) {
        let mut current = self.index.write();
        self.rendered.lock().clear();
        *current = index.after(&current);
    }

    /// Everything that was committed before is in memory; nothing before the first refresh.
    pub(super) fn mark(&self) -> Option<Timestamp> {
        *self.mark.lock()
    }
}
