//! Lines of a journal as they are read from the table, and the cursor behind them.

use jiff::{SignedDuration, Timestamp};
use svc_domain::ids::OrgId;
use svc_domain::journal::{JournalCursor, Line, LinePlace};
use svc_storage::{Query, Range, Row, StorageError, Table, keys};

use crate::error::Result;

/// Loading anew costs less than what happened in a longer time.
pub(crate) const KEPT: SignedDuration = SignedDuration::from_hours(24);
/// Loading anew costs less than more lines.
pub(super) const MAX_LINES: usize = 2_000;
/// A line and its place.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) place: LinePlace,
    pub(super) line: Line,
}

impl Placed {
    pub(super) fn read(row: &Row) -> Result<Self, StorageError> {
        let place = LinePlace::of(&row.key.sk);
        let place = place.ok_or_else(|| StorageError::Corrupt(format!("{}: no place", row.key.sk)))?;
        Ok(Self { place, line: row.read()? })
    }
}

/// The cursor behind everything that is there.
pub(super) async fn begin(table: &dyn Table, org: OrgId, now: Timestamp) -> Result<JournalCursor> {
    let mut cursor = JournalCursor::behind(newest(table, org).await?);
    let page = table.query(&lines_from(org, cursor.from_millis(), MAX_LINES)).await?;
    cursor.advance(now, page.rows.iter().filter_map(|row| LinePlace::of(&row.key.sk)));
    Ok(cursor)
}

/// Time of the newest line, in milliseconds of the Unix epoch; 0 where there is none.
pub(super) async fn newest(table: &dyn Table, org: OrgId) -> Result<i64> {
    let newest = Query::new(keys::journal_pk(org), Range::All, 1).descending();
    let newest = table.query(&newest).await?.rows;
    Ok(newest.first().and_then(|row| LinePlace::of(&row.key.sk)).map_or(0, |place| place.at_millis))
}

/// The lines after a time.
pub(super) fn lines_from(org: OrgId, after_millis: i64, limit: usize) -> Query {
    let from = keys::sortable(after_millis.saturating_add(1));
    Query::new(keys::journal_pk(org), Range::After(from), limit)
}
