//! A reading connection, with a cache of what it read last.
//!
//! A request mostly reads the same rows as the request before: the caller's credential, organization and membership,
//! the project, its workflow, what changed in the last seconds. For the price of a lock, which a read takes anyway,
//! SQLite tells a connection whether anybody has committed since its last look (`PRAGMA data_version`), in this process
//! or another. If not, the cached row or page is still current and is used.

use std::collections::HashMap;

use rusqlite::Connection;
use svc_storage::{Key, Query, Row, RowPage, StorageError};

use crate::apply;
use crate::error::database;

/// Bytes of documents kept at most, and of one of them or of a page of them. One more makes all be forgotten.
const MOST: usize = 256 * 1024;
const LARGEST: usize = 4 * 1024;

/// What a row or a page takes beside its documents, about.
const ROW: usize = 256;

pub(crate) struct Reader {
    conn: Connection,
    kept: Kept,
}

/// Rows and pages as they were when SQLite last said that somebody had committed.
#[derive(Default)]
struct Kept {
    data_version: Option<i64>,
    /// Nothing where there was none.
    rows: HashMap<Key, Option<Row>>,
    pages: HashMap<Query, RowPage>,
    bytes: usize,
}

impl Reader {
    pub(crate) fn new(conn: Connection) -> Self {
        Self { conn, kept: Kept::default() }
    }

    pub(crate) const fn connection(&self) -> &Connection {
        &self.conn
    }

    /// Reads at one moment.
    pub(crate) fn snapshot<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, StorageError>,
    ) -> Result<T, StorageError> {
        let run = |conn: &Connection, sql| conn.prepare_cached(sql)?.execute([]);
        run(&self.conn, "BEGIN").map_err(database)?;
        let found = read(self)?;
        run(&self.conn, "COMMIT").map_err(database)?;
        Ok(found)
    }

    /// Rows as they are at one moment, in the order of their keys.
    pub(crate) fn rows(&mut self, keys: &[Key]) -> Result<Vec<Option<Row>>, StorageError> {
        self.look()?;
        if let Some(rows) = self.kept.all(keys) {
            return Ok(rows);
        }
        self.snapshot(|reader| reader.rows_of_snapshot(keys))
    }

    /// The page of a query as it is at one moment; `read` reads it from the file.
    pub(crate) fn page(
        &mut self,
        query: &Query,
        read: impl FnOnce(&Connection) -> Result<RowPage, StorageError>,
    ) -> Result<RowPage, StorageError> {
        self.look()?;
        if let Some(page) = self.kept.pages.get(query) {
            return Ok(page.clone());
        }
        self.snapshot(|reader| {
            reader.look()?;
            let page = read(&reader.conn)?;
            reader.kept.add_page(query, &page);
            Ok(page)
        })
    }

    fn rows_of_snapshot(&mut self, keys: &[Key]) -> Result<Vec<Option<Row>>, StorageError> {
        self.look()?;
        keys.iter().map(|key| self.row(key)).collect()
    }

    fn row(&mut self, key: &Key) -> Result<Option<Row>, StorageError> {
        if let Some(row) = self.kept.rows.get(key) {
            return Ok(row.clone());
        }
        let row = apply::row(&self.conn, key)?;
        self.kept.add_row(key, row.as_ref());
        Ok(row)
    }

    /// Forgets what was read before somebody committed. What is left is as it is now, or at the moment of the snapshot
    /// that was begun.
    fn look(&mut self) -> Result<(), StorageError> {
        let data_version = self
            .conn
            .prepare_cached("PRAGMA data_version")
            .and_then(|mut statement| statement.query_row([], |row| row.get(0)))
            .map_err(database)?;
        self.kept.keep_of(data_version);
        Ok(())
    }
}

impl Kept {
    /// Forgets what was read of another version.
    fn keep_of(&mut self, data_version: i64) {
        if self.data_version != Some(data_version) {
            self.data_version = Some(data_version);
            self.clear();
        }
    }

    fn clear(&mut self) {
        self.rows.clear();
        self.pages.clear();
        self.bytes = 0;
    }

    /// These rows, if all of them are known.
    fn all(&self, keys: &[Key]) -> Option<Vec<Option<Row>>> {
        keys.iter().map(|key| self.rows.get(key).cloned()).collect()
    }

    fn add_row(&mut self, key: &Key, row: Option<&Row>) {
        if self.takes_room(row.map_or(0, |row| row.doc.len())) {
            self.rows.insert(key.clone(), row.cloned());
        }
    }

    fn add_page(&mut self, query: &Query, page: &RowPage) {
        if self.takes_room(page.rows.iter().map(|row| row.doc.len() + ROW).sum()) {
            self.pages.insert(query.clone(), page.clone());
        }
    }

    /// Counts what is about to be kept, unless it is too large for that.
    fn takes_room(&mut self, bytes: usize) -> bool {
        if bytes > LARGEST {
            return false;
        }
        if self.bytes > MOST {
            self.clear();
        }
        self.bytes += bytes + ROW;
        true
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;
    use svc_storage::{Key, Query, Range, RowPage};

    use super::{LARGEST, MOST, Reader};
    use crate::schema::{self, Access};
    use crate::table::Span;

    struct Store {
        directory: tempfile::TempDir,
        /// Another connection, as that of another process.
        other: Connection,
    }

    impl Store {
        fn new() -> Self {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("store.db");
            schema::prepare(&path).unwrap();
            Self { other: schema::writer(&path).unwrap(), directory }
        }

        fn reader(&self) -> Reader {
            Reader::new(schema::reader(&self.directory.path().join("store.db"), Access::Shared).unwrap())
        }

        fn put(&self, sk: &str, doc: &str) {
            const PUT: &str = "INSERT INTO record (pk, sk, version, doc) VALUES ('p', ?1, 1, ?2)
                 ON CONFLICT DO UPDATE SET version = version + 1, doc = excluded.doc";
            self.other.execute(PUT, (sk, doc)).unwrap();
        }
    }

    fn read(reader: &mut Reader, sks: &[&str]) -> Vec<Option<String>> {
        let keys: Vec<Key> = sks.iter().map(|sk| Key::new("p", *sk)).collect();
        let rows = reader.rows(&keys).unwrap();
        rows.into_iter().map(|row| row.map(|row| row.doc.to_string())).collect()
    }

    fn docs(docs: &[Option<&str>]) -> Vec<Option<String>> {
        docs.iter().map(|doc| doc.map(str::to_owned)).collect()
    }

    #[test]
    fn what_was_read_before_is_as_it_is_now_whoever_changed_it() {
        let store = Store::new();
        let (mut one, mut two) = (store.reader(), store.reader());
        store.put("a", "1");
        for reader in [&mut one, &mut two] {
            assert_eq!(read(reader, &["a", "b", "a"]), docs(&[Some("1"), None, Some("1")]));
        }
        store.put("b", "2");
        assert_eq!(read(&mut one, &["a", "b"]), docs(&[Some("1"), Some("2")]), "one that was not there");
        store.put("a", "3");
        store.other.execute("DELETE FROM record WHERE sk = 'b'", []).unwrap();
        for reader in [&mut one, &mut two] {
            assert_eq!(read(reader, &["b", "a"]), docs(&[None, Some("3")]), "one that is gone");
        }
    }

    #[test]
    fn a_page_that_was_read_before_is_as_it_is_now_whoever_changed_it() {
        let store = Store::new();
        let (mut one, mut two) = (store.reader(), store.reader());
        let query = Query::new("p", Range::After("a".into()), 10);
        let page = |reader: &mut Reader| {
            let docs = |page: RowPage| page.rows.iter().map(|row| row.doc.to_string()).collect::<Vec<_>>();
            docs(reader.page(&query, |conn| Span::of(&query).page(conn, &query)).unwrap())
        };
        store.put("b", "1");
        for reader in [&mut one, &mut two] {
            assert_eq!([page(reader), page(reader)], [["1"], ["1"]]);
        }
        store.put("c", "2");
        assert_eq!(page(&mut one), ["1", "2"]);
        store.put("a", "not of the page");
        store.put("b", "3");
        for reader in [&mut one, &mut two] {
            assert_eq!(page(reader), ["3", "2"]);
        }
        store.other.execute("DELETE FROM record WHERE sk = 'b'", []).unwrap();
        assert_eq!(page(&mut two), ["2"]);
    }

    #[test]
    fn what_is_known_is_not_looked_for_again_until_somebody_commits() {
        let store = Store::new();
        let mut reader = store.reader();
        let query = Query::new("p", Range::All, 10);
        let mut read = 0;
        let mut page = |reader: &mut Reader| {
            let count = |conn: &Connection| {
                read += 1;
                Span::of(&query).page(conn, &query)
            };
            reader.page(&query, count).unwrap();
            read
        };
        assert_eq!([page(&mut reader), page(&mut reader)], [1, 1], "an empty page is known too");
        store.put("a", "1");
        assert_eq!([page(&mut reader), page(&mut reader)], [2, 2]);
    }

    #[test]
    fn a_row_is_not_looked_for_again_until_somebody_commits() {
        let store = Store::new();
        let mut reader = store.reader();
        store.put("a", "1");
        read(&mut reader, &["a", "b"]);
        assert_eq!(reader.kept.rows.len(), 2);
        read(&mut reader, &["a"]);
        assert_eq!(reader.kept.rows.len(), 2, "still known");
        store.put("c", "1");
        read(&mut reader, &["a"]);
        assert_eq!(reader.kept.rows.len(), 1);
    }

    #[test]
    fn a_change_after_a_snapshot_began_is_not_seen_in_it() {
        let store = Store::new();
        let mut reader = store.reader();
        store.put("a", "1");
        let (a, b) = ([Key::new("p", "a")], [Key::new("p", "b")]);
        let seen = reader.snapshot(|reader| {
            let before = reader.rows_of_snapshot(&a)?;
            store.put("a", "2");
            store.put("b", "2");
            Ok((before, reader.rows_of_snapshot(&a)?, reader.rows_of_snapshot(&b)?))
        });
        let (before, after, other) = seen.unwrap();
        assert_eq!((&*before[0].as_ref().unwrap().doc, &before, &other[0]), ("1", &after, &None));
        assert_eq!(read(&mut reader, &["a", "b"]), docs(&[Some("2"), Some("2")]));
    }

    #[test]
    fn memory_is_bounded() {
        let store = Store::new();
        let mut reader = store.reader();
        let large = "x".repeat(LARGEST + 1);
        store.put("large", &large);
        for number in 0..500 {
            store.put(&number.to_string(), &"x".repeat(LARGEST));
        }
        for number in 0..500 {
            assert_eq!(read(&mut reader, &["large", &number.to_string()])[0].as_ref(), Some(&large));
            let kept: usize = reader.kept.rows.values().flatten().map(|row| row.doc.len()).sum();
            assert!(kept <= MOST + LARGEST, "{kept}");
        }
    }
}
