//! The end of a journal in memory, shared by the streams of an organization.
//!
//! Each reader waits for a read that *began after they came*, so that they see what was committed before. One
//! read runs at a time, and all who came while it ran share the next one.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use svc_domain::ids::OrgId;
use svc_domain::journal::LinePlace;
use svc_storage::Table;
use tokio::time::Instant;

use super::lines::{MAX_LINES, Placed, lines_from, newest};
use crate::error::Result;
use crate::weak_map::WeakMap;

/// Rows of one read.
const PAGE: usize = 1_000;

/// The tails that somebody holds.
#[derive(Default)]
pub struct Tails(WeakMap<OrgId, Tail>);

/// The lines of a journal since somebody began to follow it.
#[derive(Default)]
pub(super) struct Tail {
    lines: Mutex<Lines>,
    /// Number of the last read that began.
    begun: AtomicU64,
    /// When the last one began.
    looked: Mutex<Option<Instant>>,
    reader: tokio::sync::Mutex<Reader>,
}

/// Lines in the order in which they came.
#[derive(Default)]
struct Lines {
    /// How many are forgotten.
    first: u64,
    kept: VecDeque<Arc<Placed>>,
}

#[derive(Default)]
struct Reader {
    /// Number of the last read that succeeded.
    done: u64,
    /// Time of the newest line; `None` before the first read.
    mark: Option<i64>,
    /// The lines of the stretch that is read again.
    recent: HashSet<LinePlace>,
}

impl Tails {
    /// The tail of an organization, which is there as long as somebody holds it.
    pub(super) fn of(&self, org: OrgId) -> Arc<Tail> {
        self.0.get(org, Tail::default)
    }
}

impl Tail {
    /// Reads what came, unless somebody did so within this time.
    pub(super) async fn look_unless(&self, table: &dyn Table, org: OrgId, within: Duration) -> Result<()> {
        if self.looked.lock().is_some_and(|at| at.elapsed() < within) {
            return Ok(());
        }
        self.look(table, org).await
    }

    /// Reads what came until now.
    pub(super) async fn look(&self, table: &dyn Table, org: OrgId) -> Result<()> {
        let begun_before = self.begun.load(Ordering::SeqCst);
        let mut reader = self.reader.lock().await;
        if reader.done > begun_before {
            return Ok(());
        }
        let number = self.begun.fetch_add(1, Ordering::SeqCst) + 1;
        *self.looked.lock() = Some(Instant::now());
        self.read(table, org, &mut reader).await?;
        reader.done = number;
        Ok(())
    }

    async fn read(&self, table: &dyn Table, org: OrgId, reader: &mut Reader) -> Result<()> {
        let back = svc_domain::feed::BACK_MILLIS;
        let mark = match reader.mark {
            Some(mark) => mark,
            None => newest(table, org).await?,
        };
        let rows = table.query_all(lines_from(org, mark - back, PAGE)).await?;
        let mut lines = rows.iter().map(Placed::read).collect::<Result<Vec<_>, _>>()?;
        let newest = lines.iter().map(|line| line.place.at_millis).fold(mark, i64::max);
        let places: HashSet<LinePlace> =
            lines.iter().map(|line| line.place).filter(|place| place.at_millis > newest - back).collect();
        if reader.mark.is_some() {
            lines.retain(|line| !reader.recent.contains(&line.place));
            self.lines.lock().push(lines);
        }
        (reader.mark, reader.recent) = (Some(newest), places);
        Ok(())
    }

    /// Behind the last line.
    pub(super) fn end(&self) -> u64 {
        self.lines.lock().end()
    }

    /// The lines from a place on, and the place behind them; `None` when some of them are forgotten.
    pub(super) fn from(&self, place: u64) -> Option<(Vec<Arc<Placed>>, u64)> {
        let lines = self.lines.lock();
        let skip = usize::try_from(place.checked_sub(lines.first)?).ok()?;
        Some((lines.kept.iter().skip(skip).cloned().collect(), lines.end()))
    }
}

impl Lines {
    fn end(&self) -> u64 {
        self.first + self.kept.len() as u64
    }

    fn push(&mut self, lines: Vec<Placed>) {
        self.kept.extend(lines.into_iter().map(Arc::new));
        while self.kept.len() > MAX_LINES {
            self.kept.pop_front();
            self.first += 1;
        }
    }
}
