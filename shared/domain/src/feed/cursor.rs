//! A place in a project's feed that a client keeps: until when it has seen what changed.
//!
//! A reader looks back a little further than the cursor's time, because clocks differ and commits last. What
//! the client has seen of that stretch is part of the cursor, so that it is not sent again.

use std::fmt;
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

/// Until when a client has seen what changed. Its text means nothing to clients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedCursor {
    /// When it was read, in milliseconds of the Unix epoch.
    pub mark_millis: i64,
    /// What was read of the stretch before that is read again.
    pub seen: Vec<SeenRow>,
}

/// Most rows that a cursor remembers. Of more, the older ones may be sent a second time.
const MAX_SEEN: usize = 64;

impl FeedCursor {
    /// A cursor at a time, remembering the last of these rows.
    pub fn new(mark: Timestamp, mut seen: Vec<SeenRow>) -> Self {
        seen.sort_unstable();
        seen.drain(..seen.len().saturating_sub(MAX_SEEN));
        Self { mark_millis: mark.as_millisecond(), seen }
    }
}

impl fmt::Display for FeedCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "1-{:x}", self.mark_millis.max(0))?;
        for row in &self.seen {
            write!(f, "-{:x}.{:x}.{:x}", row.at_millis.max(0), row.number, row.version)?;
        }
        Ok(())
    }
}

/// A text is no cursor of this service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("This is not a cursor that this service gave out.")]
pub struct NoCursor;

impl FromStr for FeedCursor {
    type Err = NoCursor;

    fn from_str(text: &str) -> Result<Self, NoCursor> {
        let mut parts = text.split('-');
        if parts.next() != Some("1") {
            return Err(NoCursor);
        }
        let mark_millis = millis(parts.next().ok_or(NoCursor)?)?;
        let seen = parts.map(row).collect::<Result<Vec<_>, _>>()?;
        if seen.len() > MAX_SEEN { Err(NoCursor) } else { Ok(Self { mark_millis, seen }) }
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
    use super::{FeedCursor, MAX_SEEN, SeenRow};
    use jiff::Timestamp;
    use proptest::prelude::*;

    #[test]
    fn the_newest_rows_are_remembered() {
        let row = |n: u64| SeenRow { at_millis: i64::try_from(n).unwrap(), number: n, version: 1 };
        let cursor = FeedCursor::new(Timestamp::UNIX_EPOCH, (0..100).rev().map(row).collect());
        assert_eq!((cursor.seen.len(), cursor.seen[0]), (MAX_SEEN, row(36)));
        assert_eq!(cursor.to_string().parse(), Ok(cursor));
    }

    proptest! {
        #[test]
        fn a_cursor_reads_as_it_was_written(mark in 0..i64::MAX, seen in prop::collection::vec((0..i64::MAX, any::<u64>(), any::<u64>()), 0..MAX_SEEN)) {
            let row = |(at_millis, number, version)| SeenRow { at_millis, number, version };
            let cursor = FeedCursor { mark_millis: mark, seen: seen.into_iter().map(row).collect() };
            prop_assert_eq!(cursor.to_string().parse(), Ok(cursor));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,40}|1(-[0-9a-f.+-]{0,12}){0,4}") {
            if let Ok(cursor) = text.parse::<FeedCursor>() {
                prop_assert_eq!(cursor.to_string().parse(), Ok(cursor));
            }
        }
    }
}
