//! A place in a project's feed that a client keeps: until where it has seen what changed.
//!
//! The place is that of the newest row that the client was told of, not a time of day: clocks are set back, and
//! differ. A reader looks back a little further, because commits last. What the client has seen of that stretch is
//! part of the cursor, so that it is not sent again: by its rows, or, when they are too many, by what they come to
//! together. When it was read is part of it too, so that a reader knows when too much may have happened since.
//!
//! Cursors of servers from before have no place but the time at which they were read.

use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::str::FromStr;

use jiff::Timestamp;

/// A row of the feed that a client has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SeenRow {
    /// Time of the row, in milliseconds of the Unix epoch.
    pub at_millis: i64,
    /// Number of its item.
    pub number: u64,
    /// Version of the row.
    pub version: u64,
}

/// Until where a client has seen what changed. Its text means nothing to clients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedCursor {
    /// When it was read, in milliseconds of the Unix epoch.
    pub read_millis: i64,
    /// Time of the newest row that was read, in the same.
    pub mark_millis: i64,
    /// How far the next read looks back before that row.
    pub back_millis: i64,
    /// What the rows of the stretch that is read again come to, also those that are not in `seen`.
    stretch: u64,
    /// The last of those rows.
    pub seen: Vec<SeenRow>,
}

/// By how much clocks may differ and commits may last: how far a read looks back at most, in milliseconds.
pub const BACK_MILLIS: i64 = 10_000;

/// Most rows that a cursor remembers. Of more, the older ones may be sent a second time when there is another.
const MAX_SEEN: usize = 64;

impl FeedCursor {
    /// A cursor that was read now, behind a row of the time `mark`, when these rows were read. The next read looks
    /// so far back.
    pub fn new(now: Timestamp, mark_millis: i64, back_millis: i64, mut rows: Vec<SeenRow>) -> Self {
        rows.retain(|row| row.at_millis > mark_millis.saturating_sub(back_millis));
        rows.sort_unstable();
        let stretch = digest(&rows);
        rows.drain(..rows.len().saturating_sub(MAX_SEEN));
        Self { read_millis: now.as_millisecond(), mark_millis, back_millis, stretch, seen: rows }
    }

    /// The same cursor that names only so many rows, the last ones.
    pub fn naming(mut self, rows: usize) -> Self {
        self.seen.drain(..self.seen.len().saturating_sub(rows));
        self
    }

    /// Whether these are the rows that were read, all of them and no other.
    pub fn has_seen_all(&self, rows: &[SeenRow]) -> bool {
        let mut rows = rows.to_vec();
        rows.sort_unstable();
        digest(&rows) == self.stretch
    }
}

/// The part of a cursor's text that says when it was read, of one behind a journal's line, too: an answer that differs in
/// nothing else is the same one.
pub fn read_part(cursor: &str) -> &str {
    let end = cursor.match_indices('-').nth(1).map_or(0, |(at, _)| at);
    &cursor[..end]
}

/// A number that other rows hardly have.
fn digest(rows: &[SeenRow]) -> u64 {
    let mut hasher = DefaultHasher::new();
    rows.hash(&mut hasher);
    hasher.finish()
}

impl fmt::Display for FeedCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [read, mark, back] =
            [self.read_millis, self.mark_millis, self.back_millis].map(|millis| millis.max(0));
        write!(f, "2-{read:x}-{mark:x}-{back:x}-{:x}", self.stretch)?;
        for row in &self.seen {
            write!(f, "-{:x}.{:x}.{:x}", row.at_millis.max(0), row.number, row.version)?;
        }
        Ok(())
    }
}

/// A text is no cursor of this service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("This is not a cursor from this service.")]
pub struct NoCursor;

impl FromStr for FeedCursor {
    type Err = NoCursor;

    fn from_str(text: &str) -> Result<Self, NoCursor> {
        let mut parts = text.split('-');
        let version = parts.next();
        let read_millis = millis(parts.next().ok_or(NoCursor)?)?;
        let mut next = || parts.next().ok_or(NoCursor);
        let (mark_millis, back_millis, stretch) = match version {
            // Of a server from before: what it looks back on is told anew.
            Some("1") => (read_millis, BACK_MILLIS, 0),
            Some("2") => (millis(next()?)?, millis(next()?)?, hex(next()?)?),
            _ => return Err(NoCursor),
        };
        let seen = parts.map(row).collect::<Result<Vec<_>, _>>()?;
        if seen.len() > MAX_SEEN || back_millis > BACK_MILLIS {
            return Err(NoCursor);
        }
        Ok(Self { read_millis, mark_millis, back_millis, stretch, seen })
    }
}

fn row(text: &str) -> Result<SeenRow, NoCursor> {
    let mut fields = text.split('.');
    let mut field = || fields.next().ok_or(NoCursor);
    let row = SeenRow { at_millis: millis(field()?)?, number: hex(field()?)?, version: hex(field()?)? };
    if fields.next().is_some() { Err(NoCursor) } else { Ok(row) }
}

fn millis(text: &str) -> Result<i64, NoCursor> {
    i64::try_from(hex(text)?).map_err(|_| NoCursor)
}

fn hex(text: &str) -> Result<u64, NoCursor> {
    if text.starts_with('+') {
        return Err(NoCursor);
    }
    u64::from_str_radix(text, 16).map_err(|_| NoCursor)
}

#[cfg(test)]
mod tests {
    use super::{BACK_MILLIS, FeedCursor, MAX_SEEN, SeenRow};
    use jiff::Timestamp;
    use proptest::prelude::*;

    fn row(n: u64) -> SeenRow {
        SeenRow { at_millis: i64::try_from(n).unwrap(), number: n, version: 1 }
    }

    #[test]
    fn the_newest_rows_are_remembered_and_all_are_known_again() {
        let rows: Vec<SeenRow> = (0..100).rev().map(row).collect();
        let cursor = FeedCursor::new(Timestamp::UNIX_EPOCH, 99, 1_000, rows.clone());
        assert_eq!((cursor.seen.len(), cursor.seen[0]), (MAX_SEEN, row(36)));
        let read: FeedCursor = cursor.to_string().parse().unwrap();
        assert_eq!(read, cursor);
        assert!(read.has_seen_all(&rows));
        assert!(!read.has_seen_all(&rows[1..]));
        assert!(!read.has_seen_all(&[rows.clone(), vec![row(100)]].concat()));
        let short = read.naming(2);
        assert_eq!(short.seen, [row(98), row(99)]);
        assert!(short.has_seen_all(&rows));
    }

    #[test]
    fn cursors_of_servers_from_before_are_read() {
        let cursor: FeedCursor = "1-19b7c0a1800-19b7c0a17ff.7.2".parse().unwrap();
        assert_eq!((cursor.read_millis, cursor.mark_millis), (0x19b_7c0a_1800, 0x19b_7c0a_1800));
        assert_eq!(cursor.seen, [SeenRow { at_millis: 0x19b_7c0a_17ff, number: 7, version: 2 }]);
    }

    proptest! {
        #[test]
        fn a_cursor_reads_as_it_was_written(read in 0..i64::MAX, mark in 0..i64::MAX, back in 0..=BACK_MILLIS, stretch in any::<u64>(), seen in prop::collection::vec((0..i64::MAX, any::<u64>(), any::<u64>()), 0..MAX_SEEN)) {
            let row = |(at_millis, number, version)| SeenRow { at_millis, number, version };
            let seen = seen.into_iter().map(row).collect();
            let cursor = FeedCursor { read_millis: read, mark_millis: mark, back_millis: back, stretch, seen };
            prop_assert_eq!(cursor.to_string().parse(), Ok(cursor));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,40}|[12](-[0-9a-f.+-]{0,12}){0,4}") {
            if let Ok(cursor) = text.parse::<FeedCursor>() {
                prop_assert_eq!(cursor.to_string().parse(), Ok(cursor));
            }
        }
    }
}
