//! Brings feeds up to date: reads what changed, or everything of a feed that is cold, as the protocol of
//! [the module above](super) says.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use jiff::{SignedDuration, Timestamp};
use svc_domain::feed::{FeedEntry, FeedIndex};
use svc_domain::ids::{OrgId, ProjectKey};
use svc_storage::{Query, Range, Row, StorageError, keys};

use super::{Feed, Feeds, OVERLAP, Reader, Settled};
use crate::App;
use crate::error::Result;
use crate::messages::PackFeed;
use crate::outbox;
use crate::tracker::feed_snapshots;

/// A feed that nobody asked for in this time is read anew.
const IDLE: SignedDuration = SignedDuration::from_hours(1);

/// Rows of one read.
const PAGE: usize = 1_000;

/// Entries that take no longer to be put in order than being handed to another thread and back.
const FEW: usize = 100;

impl Feeds {
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
}

impl Feed {
    async fn refresh(&self, app: &App) -> Result<()> {
        let begun_before = self.begun.load(Ordering::SeqCst);
        let mut reader = self.reader.lock().await;
        if reader.done > begun_before {
            return Ok(());
        }
        let number = self.begun.fetch_add(1, Ordering::SeqCst) + 1;
        let now = app.now();
        let settled = app.table.alone().map(|era| Settled { era, place: app.feed_clock.settled(now) });
        let same_era = |before: &Settled| settled.is_some_and(|settled| settled.era == before.era);
        let from = reader.settled.filter(same_era).map(|before| before.place);
        match reader.mark.filter(|mark| follows(*mark, now)) {
            Some(mark) => self.follow(app, &mut reader, from.unwrap_or_else(|| since(mark))).await?,
            None => self.start(app, &mut reader).await?,
        }
        reader.mark = Some(now);
        reader.settled = settled;
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
            return self.follow(app, reader, since(mark)).await;
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
        if entries.len() <= FEW {
            return Ok(FeedIndex::of(project, entries));
        }
        let index = tokio::task::spawn_blocking(move || FeedIndex::of(project, entries)).await;
        index.map_err(|error| StorageError::Unavailable(Box::new(error)).into())
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

    /// Reads what changed from a place on.
    async fn follow(&self, app: &App, reader: &mut Reader, place: i64) -> Result<()> {
        let range = Range::After(keys::sortable(place));
        let query = Query::new(keys::feed_pk(self.org, &self.project), range, PAGE);
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

/// From when on a refresh reads that builds on one that began at `mark`: the second before the overlap, so that those
/// of one second ask the same, which a store may remember.
fn since(mark: Timestamp) -> i64 {
    (mark - OVERLAP).as_second() * 1_000
}

/// Whether a refresh now may build on one that began at `mark`.
pub(crate) fn follows(mark: Timestamp, now: Timestamp) -> bool {
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
