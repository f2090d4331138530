//! Writes rows as another store had them: version, counters and expiry too.
//!
//! A put raises the version by what the row is to have, less one for each of its counters, each of which is added then.
//! Only here are rows written without a transaction of the application: nothing follows from them, as all that follows
//! comes too.

use std::collections::HashSet;

use svc_storage::{Commit, Condition, Key, Limits, Op, OpKind, Row, StorageError, Table};

use crate::failure::Failure;

/// Bytes of documents that are written together: the limit of a commit with room for keys.
const BYTES: usize = Limits::COMMIT_BYTES / 2;

/// Rows that fit into one commit.
#[derive(Default)]
pub(super) struct Batch {
    rows: Vec<Row>,
    bytes: usize,
}

impl Batch {
    /// Adds a row. Answers the rows before it when it has no room beside them.
    pub(super) fn push(&mut self, row: Row) -> Option<Self> {
        let size = row.key.pk.len() + row.key.sk.len() + row.doc.len();
        let is_full = self.rows.len() == Limits::OPS || self.bytes + size > BYTES;
        let full = (is_full && !self.rows.is_empty()).then(|| std::mem::take(self));
        self.bytes += size;
        self.rows.push(row);
        full
    }

    /// The batch, if it has rows.
    pub(super) fn some(self) -> Option<Self> {
        (!self.rows.is_empty()).then_some(self)
    }

    /// Creates the rows, or leaves them where they are there.
    ///
    /// # Errors
    /// Those of storage; that a row cannot be made as it was.
    pub(super) async fn write(&self, table: &dyn Table) -> Result<(), Failure> {
        let all: Vec<&Row> = self.rows.iter().collect();
        match create(table, &all).await {
            // An import was cut off here, or a reply was lost.
            Err(StorageError::Conflict { .. }) => self.mend(table).await,
            created => Ok(created?),
        }
    }

    /// Makes what is not there as it should be.
    async fn mend(&self, table: &dyn Table) -> Result<(), Failure> {
        let keys: Vec<Key> = self.rows.iter().map(|row| row.key.clone()).collect();
        let found = table.get_many(&keys).await?;
        let other: Vec<&Row> = self
            .rows
            .iter()
            .zip(&found)
            .filter(|(row, found)| found.as_ref() != Some(*row))
            .map(|(row, _)| row)
            .collect();
        let gone = other.iter().map(|row| Op::delete(row.key.clone(), Condition::None)).collect();
        table.commit(&Commit { ops: gone, token: None }).await?;
        Ok(create(table, &other).await?)
    }
}

async fn create(table: &dyn Table, rows: &[&Row]) -> Result<(), StorageError> {
    let only_once: HashSet<&Key> = rows.iter().map(|row| &row.key).collect();
    if only_once.len() < rows.len() {
        return Err(StorageError::Corrupt("the export has a row twice".into()));
    }
    let puts: Vec<Op> = rows.iter().filter_map(|row| put(row)).collect();
    if !puts.is_empty() {
        table.commit(&Commit { ops: puts, token: None }).await?;
    }
    for row in rows.iter().filter(|row| !row.counters.is_empty()) {
        count(table, row).await?;
    }
    Ok(())
}

/// What creates a row; nothing for one that was only ever counted in.
fn put(row: &Row) -> Option<Op> {
    let step = row.version.saturating_sub(row.counters.len() as u64);
    let kind = OpKind::Put { step, doc: row.doc.as_ref().to_owned(), ttl: row.ttl };
    (step > 0).then(|| Op { key: row.key.clone(), condition: Condition::Absent, kind })
}

async fn count(table: &dyn Table, row: &Row) -> Result<(), StorageError> {
    let first = row.version.saturating_sub(row.counters.len() as u64);
    for (version, (field, count)) in (first..).zip(&row.counters) {
        let condition = if version == 0 { Condition::Absent } else { Condition::Version(version) };
        match row.ttl {
            Some(_) if version == 0 => drop(table.increment(&row.key, field, *count, row.ttl).await?),
            _ => {
                let kind = OpKind::Add { field: field.clone(), amount: *count };
                let ops = vec![Op { key: row.key.clone(), condition, kind }];
                table.commit(&Commit { ops, token: None }).await?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use svc_storage::{Key, Row};
    use svc_testkit::TestApp;

    use super::Batch;

    fn row(sk: &str, version: u64, doc: &str, counters: &[(&str, i64)], ttl: Option<i64>) -> Row {
        let counters: BTreeMap<String, i64> =
            counters.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect();
        Row { key: Key::new("MADE", sk), version, doc: doc.into(), counters, ttl }
    }

    #[tokio::test]
    async fn rows_come_as_they_were_also_where_an_import_was_cut_off() {
        let far = Some(9_000_000_000);
        let rows = [
            row("plain", 1, r#"{"a":1}"#, &[], None),
            row("changed", 7, r#"{"a":"ü\u0000"}"#, &[], far),
            row("counted", 5, "{}", &[("m", -2), ("n", 40)], far),
            row("only counted", 1, "null", &[("n", 3)], None),
            row("only counted twice", 2, "null", &[("m", 1), ("n", 3)], None),
            row("counted and expires", 1, "null", &[("n", 3)], far),
            row("counted often and expires", 9, "null", &[("n", 9)], far),
        ];
        let kit = TestApp::new();
        let table = &*kit.app.table;
        for round in 0..3 {
            let mut batch = Batch::default();
            assert!(rows.iter().all(|row| batch.push(row.clone()).is_none()));
            batch.write(table).await.unwrap();
            for row in &rows {
                assert_eq!(table.get(&row.key).await.unwrap().as_ref(), Some(row), "round {round}");
            }
            if round == 0 {
                // What another server could have left half done.
                for key in [&rows[2].key, &rows[0].key] {
                    table.increment(key, "n", 1, None).await.unwrap();
                }
            }
        }
    }

    #[test]
    fn what_does_not_fit_into_one_commit_goes_into_the_next() {
        let mut batch = Batch::default();
        let full: Vec<usize> = (0..250)
            .filter_map(|n| batch.push(row(&n.to_string(), 1, "{}", &[], None)))
            .map(|full| full.rows.len())
            .collect();
        assert_eq!((full, batch.rows.len()), (vec![100, 100], 50));
        let large = "x".repeat(390_000);
        let mut batch = Batch::default();
        let full: Vec<usize> = (0..12)
            .filter_map(|n| batch.push(row(&n.to_string(), 1, &large, &[], None)))
            .map(|full| full.rows.len())
            .collect();
        assert_eq!(full, [5, 5]);
    }
}
