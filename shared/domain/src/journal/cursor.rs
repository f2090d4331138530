//! A place in an organization's journal that a client keeps: until where it was told what changed.
//!
//! The place is that of the newest line that the client was told of. A reader looks back a little further, because
//! clocks differ and commits last, and leaves out the lines that the cursor names. When it was read is part of it,
//! so that a reader knows when too much may have happened since.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;

use crate::feed::{BACK_MILLIS, NoCursor};

/// Most lines that a cursor names. Of more, the older ones may be told a second time.
const MAX_SEEN: usize = 64;

/// Where a line of the journal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LinePlace {
    /// Its time, in milliseconds of the Unix epoch.
    pub at_millis: i64,
    /// The end of its id, which lines of one moment hardly share.
    pub id: u32,
}

impl LinePlace {
    /// The place of a line with this sort key.
    pub fn of(sk: &str) -> Option<Self> {
        let (at, id) = sk.split_once('#')?;
        let end = id.get(id.len().checked_sub(8)?..)?;
        Some(Self { at_millis: at.parse().ok()?, id: u32::from_str_radix(end, 16).ok()? })
    }
}

/// Until where a client was told what changed. Its text means nothing to clients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalCursor {
    /// When it was read, in milliseconds of the Unix epoch.
    pub read_millis: i64,
    /// Time of the newest line that was read, in the same.
    pub mark_millis: i64,
    /// How far the next read looks back before that line.
    back_millis: i64,
    /// The lines of the stretch that is read again.
    seen: Vec<LinePlace>,
}

impl JournalCursor {
    /// The cursor behind a line of this time.
    pub const fn behind(mark_millis: i64) -> Self {
        Self { read_millis: 0, mark_millis, back_millis: BACK_MILLIS, seen: Vec::new() }
    }

    /// The time from which lines are read again.
    pub const fn from_millis(&self) -> i64 {
        self.mark_millis.saturating_sub(self.back_millis)
    }

    /// Whether the client was told of this line.
    pub fn has_seen(&self, place: LinePlace) -> bool {
        self.seen.contains(&place)
    }

    /// Goes behind these lines, which are read now.
    pub fn advance(&mut self, now: Timestamp, places: impl IntoIterator<Item = LinePlace>) {
        self.read_millis = now.as_millisecond();
        self.seen.extend(places);
        self.mark_millis = self.seen.iter().map(|place| place.at_millis).fold(self.mark_millis, i64::max);
        self.back_millis = BACK_MILLIS;
        self.forget();
        self.seen.sort_unstable();
        self.seen.dedup();
        // Of a stretch of many lines that is older than commits last, only the last moment is read again.
        let settled = now.as_millisecond().saturating_sub(self.mark_millis) > BACK_MILLIS;
        if settled && self.seen.len() > MAX_SEEN {
            self.back_millis = 1;
            self.forget();
        }
        self.seen.drain(..self.seen.len().saturating_sub(MAX_SEEN));
    }

    /// Forgets the lines that are not read again.
    fn forget(&mut self) {
        let from = self.from_millis();
        self.seen.retain(|place| place.at_millis > from);
    }
}

impl fmt::Display for JournalCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [read, mark, back] =
            [self.read_millis, self.mark_millis, self.back_millis].map(|millis| millis.max(0));
        write!(f, "j1-{read:x}-{mark:x}-{back:x}")?;
        for place in &self.seen {
            write!(f, "-{:x}.{:x}", place.at_millis.max(0), place.id)?;
        }
        Ok(())
    }
}

impl FromStr for JournalCursor {
    type Err = NoCursor;

    fn from_str(text: &str) -> Result<Self, NoCursor> {
        let mut parts = text.split('-');
        if parts.next() != Some("j1") {
            return Err(NoCursor);
        }
        let mut next = || millis(parts.next().ok_or(NoCursor)?);
        let (read_millis, mark_millis, back_millis) = (next()?, next()?, next()?);
        let seen = parts.map(place).collect::<Result<Vec<_>, _>>()?;
        if seen.len() > MAX_SEEN || back_millis > BACK_MILLIS {
            return Err(NoCursor);
        }
        Ok(Self { read_millis, mark_millis, back_millis, seen })
    }
}

fn place(text: &str) -> Result<LinePlace, NoCursor> {
    let (at, id) = text.split_once('.').ok_or(NoCursor)?;
    Ok(LinePlace { at_millis: millis(at)?, id: u32::from_str_radix(id, 16).map_err(|_| NoCursor)? })
}

fn millis(text: &str) -> Result<i64, NoCursor> {
    i64::from_str_radix(text, 16).ok().filter(|millis| *millis >= 0).ok_or(NoCursor)
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::{JournalCursor, LinePlace, MAX_SEEN};

    fn place(at_millis: i64, id: u32) -> LinePlace {
        LinePlace { at_millis, id }
    }

    #[test]
    fn a_place_is_read_of_a_name() {
        assert_eq!(LinePlace::of("000000000000007#00000000000000000000000a0000002b"), Some(place(7, 0x2b)));
        for wrong in ["", "7", "7#", "7#short", "x#00000000000000000000000a0000002b", "7#äöüßäöüß1"] {
            assert_eq!(LinePlace::of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_cursor_names_what_is_read_again_and_survives_as_text() {
        let mut cursor = JournalCursor::behind(100_000);
        cursor.advance(Timestamp::from_millisecond(120_000).unwrap(), [place(95_000, 1), place(104_000, 2)]);
        assert_eq!((cursor.mark_millis, cursor.from_millis()), (104_000, 94_000));
        assert!(cursor.has_seen(place(95_000, 1)) && !cursor.has_seen(place(95_000, 9)));
        let again: JournalCursor = cursor.to_string().parse().unwrap();
        assert_eq!(again, cursor);
        cursor.advance(Timestamp::from_millisecond(130_000).unwrap(), [place(110_000, 3)]);
        assert!(!cursor.has_seen(place(95_000, 1)), "nobody reads that far back");
        let many = || (0..200).map(|n| place(111_000 + i64::from(n), n));
        cursor.advance(Timestamp::from_millisecond(112_000).unwrap(), many());
        assert_eq!(cursor.to_string().split('-').count(), 4 + MAX_SEEN);
        cursor.advance(Timestamp::from_millisecond(130_000).unwrap(), many());
        assert_eq!(
            (cursor.from_millis(), cursor.seen.len()),
            (111_198, 1),
            "nothing comes before it any more"
        );
    }

    #[test]
    fn what_is_no_cursor_is_told() {
        let many = "-1.1".repeat(MAX_SEEN + 1);
        for wrong in [
            "",
            "x",
            "j1",
            "j1-1-1",
            "j1-1-1-",
            "j1-1-1-1-1",
            "j1--1-1-1",
            "j1-1-1-zz",
            "2-1-1-1",
            "j1-1-1-ffffff",
            &format!("j1-1-1-1{many}"),
        ] {
            assert!(wrong.parse::<JournalCursor>().is_err(), "{wrong}");
        }
    }
}
