//! The table port on SQLite: reads on a pooled connection, commits through the writer. What a commit does is
//! in `apply`.

use std::sync::Arc;

use rusqlite::{Connection, Rows};
use svc_storage::{Commit, Cursor, Key, Limits, Order, Query, Range, Row, RowPage, StorageError, Table};

use crate::apply::{self, columns};
use crate::engine::Engine;
use crate::error::database;

/// So many rows are read on the thread that asks.
const FEW: usize = 16;

/// The table port on an SQLite file. [`SqliteStore::table`](crate::SqliteStore::table) makes one.
pub struct SqliteTable {
    engine: Arc<Engine>,
}

impl SqliteTable {
    pub(crate) const fn new(engine: Arc<Engine>) -> Self {
        Self { engine }
    }
}

#[async_trait::async_trait]
impl Table for SqliteTable {
    async fn get(&self, key: &Key) -> Result<Option<Row>, StorageError> {
        Ok(self.engine.readers.rows(std::slice::from_ref(key))?.pop().flatten())
    }

    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Row>>, StorageError> {
        if keys.len() > Limits::KEYS {
            return Err(StorageError::TooLarge { what: "keys", size: keys.len(), limit: Limits::KEYS });
        }
        if keys.len() <= FEW {
            return self.engine.readers.rows(keys);
        }
        let keys = keys.to_vec();
        self.engine.readers.apart(move |conn| apply::rows(conn, &keys)).await
    }

    async fn query(&self, query: &Query) -> Result<RowPage, StorageError> {
        self.engine.readers.page(query, |conn| Span::of(query).page(conn, query))
    }

    async fn scan(&self, limit: usize, after: Option<&Cursor>) -> Result<RowPage, StorageError> {
        let after = after.map(Cursor::row).transpose()?;
        self.engine.readers.read(|conn| scan(conn, limit, after.as_ref()))
    }

    fn alone(&self) -> Option<u64> {
        self.engine.alone()
    }

    async fn probe(&self) -> Result<(), StorageError> {
        self.engine.still_there()
    }

    async fn commit(&self, commit: &Commit) -> Result<(), StorageError> {
        commit.check_limits()?;
        if commit.ops.is_empty() {
            return Ok(());
        }
        let ops = commit.ops.clone();
        let identity = commit.identity();
        let now = self.engine.now().as_second();
        self.engine.writer.write(move |conn| apply::commit(conn, &ops, identity.as_ref(), now)).await
    }

    async fn increment(
        &self,
        key: &Key,
        field: &str,
        amount: i64,
        ttl: Option<i64>,
    ) -> Result<i64, StorageError> {
        key.check_limits()?;
        let (key, field) = (key.clone(), field.to_owned());
        self.engine.writer.write(move |conn| apply::increment(conn, &key, &field, amount, ttl)).await
    }
}

/// The sort keys of a query as `from <= sk < to`. Every range and cursor is one: `\0` appended to a text makes
/// the very next text.
pub(crate) struct Span {
    from: String,
    /// Nothing: to the end of the partition.
    to: Option<String>,
}

impl Span {
    pub(crate) fn of(query: &Query) -> Self {
        let next = |text: &str| format!("{text}\0");
        let (mut from, mut to) = match &query.range {
            Range::All => (String::new(), None),
            Range::Prefix(prefix) => (prefix.clone(), after_prefix(prefix)),
            Range::Between(first, last) => (first.clone(), Some(next(last))),
            Range::After(last) => (next(last), None),
        };
        match (&query.cursor, query.order) {
            (None, _) => {}
            (Some(Cursor(seen)), Order::Ascending) => from = from.max(next(seen)),
            (Some(Cursor(seen)), Order::Descending) => {
                to = Some(to.map_or_else(|| seen.clone(), |to| to.min(seen.clone())));
            }
        }
        Self { from, to }
    }

    const fn sql(&self, order: Order) -> &'static str {
        match (&self.to, order) {
            (None, Order::Ascending) => {
                concat!("SELECT ", columns!(), " FROM record WHERE pk = ?1 AND sk >= ?2 ORDER BY sk")
            }
            (None, Order::Descending) => {
                concat!("SELECT ", columns!(), " FROM record WHERE pk = ?1 AND sk >= ?2 ORDER BY sk DESC")
            }
            (Some(_), Order::Ascending) => concat!(
                "SELECT ",
                columns!(),
                " FROM record WHERE pk = ?1 AND sk >= ?2 AND sk < ?3 ORDER BY sk"
            ),
            (Some(_), Order::Descending) => concat!(
                "SELECT ",
                columns!(),
                " FROM record WHERE pk = ?1 AND sk >= ?2 AND sk < ?3 ORDER BY sk DESC"
            ),
        }
    }

    pub(crate) fn page(&self, conn: &Connection, query: &Query) -> Result<RowPage, StorageError> {
        let mut statement = conn.prepare_cached(self.sql(query.order)).map_err(database)?;
        let found = match &self.to {
            None => statement.query((&query.pk, &self.from)),
            Some(to) => statement.query((&query.pk, &self.from, to)),
        };
        page_of(found.map_err(database)?, query.limit, |last| Cursor(last.sk.clone()))
    }
}

/// The rows of the whole table in the order of their keys, behind one of them.
fn scan(conn: &Connection, limit: usize, after: Option<&Key>) -> Result<RowPage, StorageError> {
    const SQL: &str =
        concat!("SELECT ", columns!(), " FROM record WHERE (pk, sk) > (?1, ?2) ORDER BY pk, sk");
    let mut statement = conn.prepare_cached(SQL).map_err(database)?;
    let (pk, sk) = after.map_or(("", ""), |key| (&key.pk, &key.sk));
    page_of(statement.query((pk, sk)).map_err(database)?, limit, Cursor::behind)
}

/// The rows that fit on a page, and where the next one begins.
fn page_of(
    mut found: Rows<'_>,
    limit: usize,
    behind: impl Fn(&Key) -> Cursor,
) -> Result<RowPage, StorageError> {
    let mut page = RowPage::default();
    let mut bytes = 0;
    while let Some(row) = found.next().map_err(database)? {
        // One row beyond the page shows that there is more.
        if let Some(last) = page.rows.last()
            && (page.rows.len() >= limit || bytes >= Limits::PAGE_BYTES)
        {
            page.cursor = Some(behind(&last.key));
            break;
        }
        let row = apply::row_of(row)?;
        bytes += row.key.pk.len() + row.key.sk.len() + row.doc.len();
        page.rows.push(row);
    }
    Ok(page)
}

/// The first text after all that begin with `prefix`; nothing when there is none. UTF-8 orders texts as their
/// characters' numbers do.
fn after_prefix(prefix: &str) -> Option<String> {
    let mut text = prefix.to_owned();
    while let Some(last) = text.pop() {
        // The range skips the surrogates, which are no characters.
        if let Some(next) = (last..=char::MAX).nth(1) {
            text.push(next);
            return Some(text);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use rusqlite::StatementStatus;

    use super::*;
    use crate::schema::{self, Access};

    #[test]
    fn the_end_of_a_prefix_is_the_next_text_that_does_not_begin_with_it() {
        assert_eq!(after_prefix("a#").as_deref(), Some("a$"));
        assert_eq!(after_prefix("a\u{D7FF}").as_deref(), Some("a\u{E000}"));
        assert_eq!(after_prefix("a\u{10FFFF}").as_deref(), Some("b"));
        assert_eq!(after_prefix("\u{10FFFF}"), None);
        assert_eq!(after_prefix(""), None);
    }

    /// Planning took longer than reading a short page.
    #[test]
    fn a_range_is_planned_once_whatever_its_ends() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("store.db");
        schema::prepare(&path).unwrap();
        let conn = schema::reader(&path, Access::Shared).unwrap();
        for order in [Order::Ascending, Order::Descending] {
            for range in [Range::All, Range::Prefix("1".into()), Range::After("2".into())] {
                for pk in ["a", "b", "c"] {
                    let query = Query { order, ..Query::new(pk, range.clone(), 1) };
                    let span = Span::of(&query);
                    span.page(&conn, &query).unwrap();
                    let statement = conn.prepare_cached(span.sql(order)).unwrap();
                    assert_eq!(statement.get_status(StatementStatus::RePrepare), 0, "{query:?}");
                }
            }
        }
    }

    #[test]
    fn a_cursor_narrows_the_span_from_the_side_it_came_from() {
        let query = Query::new("p", Range::Between("b".into(), "d".into()), 1);
        let span = |query: &Query| {
            let span = Span::of(query);
            (span.from, span.to)
        };
        assert_eq!(span(&query), ("b".into(), Some("d\0".into())));
        let seen = Some(Cursor("c".into()));
        assert_eq!(span(&query.clone().resume(seen.clone())), ("c\0".into(), Some("d\0".into())));
        assert_eq!(span(&query.descending().resume(seen)), ("b".into(), Some("c".into())));
    }
}
