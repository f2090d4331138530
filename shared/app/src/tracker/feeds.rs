//! Warm project feeds of this process: each project's items in memory, brought up to date by reading only
//! the rows that changed.
//!
//! Protocol.
//! 1. A change of an item moves its feed row to the time of the change, in the commit of the change. So the
//!    rows of a feed are ordered by the writers' clocks, and there is one of each item.
//! 2. A cold start reads the whole partition. Its *mark* is the time at which it began. Of a large project it
//!    reads a snapshot, whose mark it takes over, and then what changed since ([`super::feed_snapshots`]).
//! 3. A refresh reads the rows after its predecessor's mark, less [`OVERLAP`]: whatever was committed since
//!    carries a later time than that, as long as clocks differ and commits take less than the overlap. Rows
//!    read before are skipped; the rest is applied, which is idempotent.
//! 4. Whoever asks waits for a refresh that *began after they came*, so that they see what was committed
//!    before, by whichever process. One refresh runs at a time, and all who came while it ran share the
//!    next one.
//! 5. When the clock stepped back, or nobody asked for [`IDLE`], the feed is read anew. Deletions must leave
//!    a row for longer than that.
//!
//! Memory is bounded by the number of entries (a setting): the feeds that were not asked for longest are
//! forgotten.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use jiff::{SignedDuration, Timestamp};
use parking_lot::{Mutex, RwLock, RwLockReadGuard};
use svc_domain::feed::{FeedEntry, FeedIndex};
use svc_domain::ids::{OrgId, ProjectKey};
use svc_domain::workflow::StateGroup;
use svc_storage::{Query, Range, Row, StorageError, keys};

use super::feed_snapshots;
use super::list::{ListedItem, Rendered};
use crate::App;
use crate::error::Result;
use crate::messages::PackFeed;
use crate::outbox;

/// By how much clocks may differ and commits may last.
pub(super) const OVERLAP: SignedDuration = SignedDuration::from_secs(10);

/// A feed that nobody asked for in this time is read anew.
const IDLE: SignedDuration = SignedDuration::from_hours(1);

/// Rows of one read.
const PAGE: usize = 1_000;

/// Rendered entries that a feed keeps: those of a large board.
const RENDERED: usize = 6_000;

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
    rendered: Rendered,
}

/// What the one who refreshes must know.
#[derive(Default)]
struct Reader {
    /// Number of the last refresh that succeeded.
    done: u64,
    /// When it began; `None` before the first.
    mark: Option<Timestamp>,
    /// Version of each row that it read, by sort key.
    recent: HashMap<String, u64>,
}

impl Feeds {
    /// Feeds that keep about this many entries in memory.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { kept: Mutex::default(), capacity }
    }

    /// A project's feed, with everything in it that was committed before this call.
    ///
    /// # Errors
    /// Those of storage.
    pub async fn fresh(&self, app: &App, org: OrgId, project: &ProjectKey) -> Result<Arc<Feed>> {
        let feed = self.slot(org, project);
        let before = feed.len.load(Ordering::Relaxed);
        feed.refresh(app).await?;
        if feed.len.load(Ordering::Relaxed) > before {
            self.make_room();
        }
        feed.ask_for_snapshot(app).await;
        Ok(feed)
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
    pub(super) fn render<'a>(
        &self,
        index: &RwLockReadGuard<'_, FeedIndex>,
        listed: impl Iterator<Item = ListedItem<'a>>,
        render: impl Fn(ListedItem<'_>) -> Rendered,
    ) -> Vec<Rendered> {
        debug_assert!(std::ptr::eq(RwLockReadGuard::rwlock(index), &self.index), "the lock is this feed's");
        let mut parse_cache = self.rendered.lock();
        let show = |item: ListedItem<'a>| {
            let ListedItem { entry, state_group, claim_is_stale } = item;
            let memo = parse_cache.get(&entry.number);
            let fits = |m: &&Memo| m.state_group == state_group && m.claim_is_stale == claim_is_stale;
            if let Some(memo) = memo.filter(fits) {
                return Arc::clone(&memo.rendered);
            }
            if parse_cache.len() >= RENDERED {
                parse_cache.clear();
            }
            let rendered = render(item);
            let memo = Memo { state_group, claim_is_stale, rendered: Arc::clone(&rendered) };
            parse_cache.insert(entry.number, memo);
            rendered
        };
        listed.map(show).collect()
    }

    async fn refresh(&self, app: &App) -> Result<()> {
        let begun_before = self.begun.load(Ordering::SeqCst);
        let mut reader = self.reader.lock().await;
        if reader.done > begun_before {
            return Ok(());
        }
        let number = self.begun.fetch_add(1, Ordering::SeqCst) + 1;
        let now = app.now();
        match reader.mark.filter(|mark| follows(*mark, now)) {
            Some(mark) => self.follow(app, &mut reader, mark).await?,
            None => self.start(app, &mut reader).await?,
        }
        reader.mark = Some(now);
        reader.done = number;
        *self.mark.lock() = Some(now);
        self.len.store(self.index.read().len(), Ordering::Relaxed);
        Ok(())
    }

    /// Reads a snapshot and what changed since, or everything where there is none.
    async fn start(&self, app: &App, reader: &mut Reader) -> Result<()> {
        if let Some((index, mark)) = feed_snapshots::read(app, self.org, &self.project).await? {
            self.unsaved.store(0, Ordering::Relaxed);
            self.put(index);
            reader.recent.clear();
            return self.follow(app, reader, mark).await;
        }
        let index = self.read_all(app).await?;
        self.unsaved.store(index.len(), Ordering::Relaxed);
        self.put(index);
        Ok(())
    }

    /// Every row. Those that are read again by the first refresh change nothing.
    async fn read_all(&self, app: &App) -> Result<FeedIndex> {
        let mut entries = Vec::new();
        let mut query = Query::new(keys::feed_pk(self.org, &self.project), Range::All, PAGE);
        loop {
            let page = app.table.query(&query).await?;
            for row in &page.rows {
                entries.push(row.read()?);
            }
            query.cursor = page.cursor;
            if query.cursor.is_none() {
                break;
            }
            // A large project keeps a thread busy for a while: let others have their turn.
            tokio::task::yield_now().await;
        }
        let project = self.project.clone();
        let index = tokio::task::spawn_blocking(move || FeedIndex::of(project, entries)).await;
        index.map_err(|error| StorageError::Unavailable(Box::new(error)).into())
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

    /// Asks the workers to pack the feed when much of it is in no snapshot.
    async fn ask_for_snapshot(&self, app: &App) {
        let (len, unsaved) = (self.len.load(Ordering::Relaxed), self.unsaved.load(Ordering::Relaxed));
        // Of those who see it at once, one asks.
        if feed_snapshots::is_due(len, unsaved) && self.unsaved.swap(0, Ordering::Relaxed) == unsaved {
            let message = PackFeed { org: self.org, project: self.project.clone() };
            outbox::send_hint(app, message, SignedDuration::ZERO).await;
        }
    }

    /// Reads what changed.
    async fn follow(&self, app: &App, reader: &mut Reader, mark: Timestamp) -> Result<()> {
        let since = keys::sortable((mark - OVERLAP).as_millisecond());
        let query = Query::new(keys::feed_pk(self.org, &self.project), Range::After(since), PAGE);
        let rows = app.table.query_all(query).await?;
        let is_new = |row: &&Row| reader.recent.get(&row.key.sk) != Some(&row.version);
        let entries: Vec<FeedEntry> =
            rows.iter().filter(is_new).map(Row::read).collect::<Result<_, StorageError>>()?;
        if !entries.is_empty() {
            let mut index = self.index.write();
            let mut rendered = self.rendered.lock();
            for entry in entries {
                rendered.remove(&entry.number);
                if index.apply(entry) {
                    self.unsaved.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
        reader.recent = rows.into_iter().map(|row| (row.key.sk, row.version)).collect();
        Ok(())
    }
}

/// Whether a refresh now may build on one that began at `mark`.
fn follows(mark: Timestamp, now: Timestamp) -> bool {
    let passed = now.duration_since(mark);
    passed > -OVERLAP / 2 && passed < IDLE
}

#[cfg(test)]
mod tests {
    use super::{OVERLAP, follows};
    use jiff::{Timestamp, ToSpan};

    #[test]
    fn a_clock_that_steps_back_or_a_long_silence_starts_over() {
        let mark: Timestamp = "2026-01-01T12:00:00Z".parse().unwrap();
        assert!(follows(mark, mark));
        assert!(follows(mark, mark + 59.minutes()));
        assert!(follows(mark, mark - 1.second()));
        assert!(!follows(mark, mark - OVERLAP));
        assert!(!follows(mark, mark + 61.minutes()));
    }
}
