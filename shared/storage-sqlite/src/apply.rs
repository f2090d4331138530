//! One commit as SQL statements. Owns what each condition and kind of operation means in SQL; runs inside the
//! savepoint that the writer made, so that returning an error undoes everything.
//!
//! An operation is one statement with its condition in `WHERE` or `ON CONFLICT`. It changes one row, or no row if the
//! condition does not hold. The operations of a commit name different rows, so none can see another's change.

use rusqlite::{CachedStatement, Connection, OptionalExtension, params};
use svc_storage::{Condition, Key, Op, OpKind, Row, StorageError};

use crate::error::database;

/// How long a token is remembered. The port promises 10 minutes.
pub(crate) const TOKEN_SECONDS: i64 = 15 * 60;

/// Columns that [`row_of`] reads.
macro_rules! columns {
    () => {
        "version, ttl, counters, doc, pk, sk"
    };
}
pub(crate) use columns;

/// Does the operations, unless a commit of this identity was done before.
pub(crate) fn commit(
    conn: &Connection,
    ops: &[Op],
    identity: Option<&[u8; 32]>,
    now: i64,
) -> Result<(), StorageError> {
    if let Some(identity) = identity
        && !remember(conn, identity, now).map_err(database)?
    {
        return Ok(());
    }
    for (index, op) in ops.iter().enumerate() {
        if !apply(conn, op).map_err(database)? {
            let current = row(conn, &op.key)?.map(Box::new);
            return Err(StorageError::Conflict { op: index, current });
        }
    }
    Ok(())
}

/// Adds to a counter, and returns its new value.
pub(crate) fn increment(
    conn: &Connection,
    key: &Key,
    field: &str,
    amount: i64,
    ttl: Option<i64>,
) -> Result<i64, StorageError> {
    let value = add(conn, key, Condition::None, field, amount).map_err(database)?;
    if ttl.is_some() {
        conn.prepare_cached("UPDATE record SET ttl = ?3 WHERE pk = ?1 AND sk = ?2")
            .and_then(|mut update| update.execute(params![key.pk, key.sk, ttl]))
            .map_err(database)?;
    }
    value.ok_or_else(|| StorageError::Corrupt(format!("{}/{}: the counter is lost", key.pk, key.sk)))
}

/// A row as it is now.
pub(crate) fn row(conn: &Connection, key: &Key) -> Result<Option<Row>, StorageError> {
    get(&mut prepared(conn)?, key)
}

/// Rows as they are now, in the order of their keys.
pub(crate) fn rows(conn: &Connection, keys: &[Key]) -> Result<Vec<Option<Row>>, StorageError> {
    let mut statement = prepared(conn)?;
    keys.iter().map(|key| get(&mut statement, key)).collect()
}

fn prepared(conn: &Connection) -> Result<CachedStatement<'_>, StorageError> {
    const GET: &str = "SELECT version, ttl, counters, doc FROM record WHERE pk = ?1 AND sk = ?2";
    conn.prepare_cached(GET).map_err(database)
}

fn get(statement: &mut CachedStatement<'_>, key: &Key) -> Result<Option<Row>, StorageError> {
    let mut rows = statement.query((&key.pk, &key.sk)).map_err(database)?;
    rows.next().map_err(database)?.map(|row| row_named(key.clone(), row)).transpose()
}

/// A row out of the columns of [`columns!`].
pub(crate) fn row_of(row: &rusqlite::Row<'_>) -> Result<Row, StorageError> {
    let key = Key::new(text(row, 4)?, text(row, 5)?);
    row_named(key, row)
}

/// The row of a known key out of the other columns.
fn row_named(key: Key, row: &rusqlite::Row<'_>) -> Result<Row, StorageError> {
    let version: i64 = row.get(0).map_err(database)?;
    let counters = match row.get_ref(2).map_err(database)?.as_str_or_null() {
        Ok(None) => Default::default(),
        Ok(Some(json)) => serde_json::from_str(json)
            .map_err(|error| StorageError::Corrupt(format!("{}/{}: counters: {error}", key.pk, key.sk)))?,
        Err(error) => return Err(StorageError::Corrupt(error.to_string())),
    };
    Ok(Row {
        version: version.unsigned_abs(),
        ttl: row.get(1).map_err(database)?,
        counters,
        doc: text(row, 3)?.into(),
        key,
    })
}

fn text<'a>(row: &'a rusqlite::Row<'_>, column: usize) -> Result<&'a str, StorageError> {
    let value = row.get_ref(column).map_err(database)?;
    value.as_str().map_err(|error| StorageError::Corrupt(error.to_string()))
}

/// Removes up to `limit` rows whose time is over, and all tokens that need not be remembered.
pub(crate) fn sweep(conn: &Connection, now: i64, limit: u32) -> Result<u64, StorageError> {
    let removed = conn
        .prepare_cached(
            "DELETE FROM record WHERE (pk, sk) IN
                 (SELECT pk, sk FROM record WHERE ttl < ?1 ORDER BY ttl LIMIT ?2)",
        )
        .and_then(|mut delete| delete.execute(params![now, limit]))
        .map_err(database)?;
    conn.prepare_cached("DELETE FROM token WHERE at < ?1")
        .and_then(|mut delete| delete.execute([now - TOKEN_SECONDS]))
        .map_err(database)?;
    Ok(removed as u64)
}

/// Remembers a commit; `false` when it was remembered already.
fn remember(conn: &Connection, identity: &[u8; 32], now: i64) -> rusqlite::Result<bool> {
    let mut insert = conn.prepare_cached("INSERT OR IGNORE INTO token (identity, at) VALUES (?1, ?2)")?;
    Ok(insert.execute(params![identity, now])? == 1)
}

/// Does one operation; `false` when its condition did not hold.
fn apply(conn: &Connection, op: &Op) -> rusqlite::Result<bool> {
    match &op.kind {
        OpKind::Check => holds(conn, &op.key, op.condition),
        OpKind::Put { step, doc, ttl } => put(conn, &op.key, op.condition, (doc, *ttl), *step),
        OpKind::Delete => delete(conn, &op.key, op.condition),
        OpKind::Add { field, amount } => Ok(add(conn, &op.key, op.condition, field, *amount)?.is_some()),
    }
}

fn holds(conn: &Connection, key: &Key, condition: Condition) -> rusqlite::Result<bool> {
    let version = conn
        .prepare_cached("SELECT version FROM record WHERE pk = ?1 AND sk = ?2")?
        .query_row((&key.pk, &key.sk), |row| row.get::<_, i64>(0))
        .optional()?;
    Ok(match condition {
        Condition::Absent => version.is_none(),
        Condition::Present => version.is_some(),
        Condition::Version(wanted) => version == Some(stored(wanted)),
        Condition::None => true,
    })
}

fn put(
    conn: &Connection,
    key: &Key,
    condition: Condition,
    (doc, ttl): (&str, Option<i64>),
    step: u64,
) -> rusqlite::Result<bool> {
    let step = stored(step);
    let changed = match condition {
        Condition::Absent => conn
            .prepare_cached(
                "INSERT INTO record (pk, sk, version, ttl, doc) VALUES (?1, ?2, ?5, ?3, ?4)
                 ON CONFLICT DO NOTHING",
            )?
            .execute(params![key.pk, key.sk, ttl, doc, step])?,
        Condition::Present => conn
            .prepare_cached(
                "UPDATE record SET version = version + ?5, ttl = ?3, doc = ?4 WHERE pk = ?1 AND sk = ?2",
            )?
            .execute(params![key.pk, key.sk, ttl, doc, step])?,
        Condition::Version(version) => conn
            .prepare_cached(
                "UPDATE record SET version = version + ?5, ttl = ?3, doc = ?4
                 WHERE pk = ?1 AND sk = ?2 AND version = ?6",
            )?
            .execute(params![key.pk, key.sk, ttl, doc, step, stored(version)])?,
        Condition::None => conn
            .prepare_cached(
                "INSERT INTO record (pk, sk, version, ttl, doc) VALUES (?1, ?2, ?5, ?3, ?4)
                 ON CONFLICT DO UPDATE SET version = version + ?5, ttl = excluded.ttl, doc = excluded.doc",
            )?
            .execute(params![key.pk, key.sk, ttl, doc, step])?,
    };
    Ok(changed == 1)
}

fn delete(conn: &Connection, key: &Key, condition: Condition) -> rusqlite::Result<bool> {
    const DELETE: &str = "DELETE FROM record WHERE pk = ?1 AND sk = ?2";
    match condition {
        // What must be absent is not there to be removed.
        Condition::Absent => holds(conn, key, condition),
        Condition::Present => Ok(conn.prepare_cached(DELETE)?.execute((&key.pk, &key.sk))? == 1),
        Condition::Version(version) => Ok(conn
            .prepare_cached("DELETE FROM record WHERE pk = ?1 AND sk = ?2 AND version = ?3")?
            .execute(params![key.pk, key.sk, stored(version)])?
            == 1),
        Condition::None => {
            conn.prepare_cached(DELETE)?.execute((&key.pk, &key.sk))?;
            Ok(true)
        }
    }
}

/// The counter's new value, or nothing when the condition did not hold.
fn add(
    conn: &Connection,
    key: &Key,
    condition: Condition,
    field: &str,
    amount: i64,
) -> rusqlite::Result<Option<i64>> {
    /// The counters after the addition, and what is answered; `?3` is the counter's JSON path.
    macro_rules! added {
        () => {
            "version = version + 1, counters = json_set(coalesce(counters, '{}'), ?3,
                 coalesce(json_extract(counters, ?3), 0) + ?4)"
        };
    }
    macro_rules! insert {
        () => {
            "INSERT INTO record (pk, sk, version, counters, doc)
             VALUES (?1, ?2, 1, json_set('{}', ?3, ?4), 'null') ON CONFLICT DO "
        };
    }
    macro_rules! answer {
        () => {
            " RETURNING json_extract(counters, ?3)"
        };
    }
    let path = format!("$.\"{field}\"");
    let read = |row: &rusqlite::Row<'_>| row.get(0);
    let arguments = params![key.pk, key.sk, path, amount];
    match condition {
        Condition::Absent => conn
            .prepare_cached(concat!(insert!(), "NOTHING", answer!()))?
            .query_row(arguments, read)
            .optional(),
        Condition::Present => conn
            .prepare_cached(concat!("UPDATE record SET ", added!(), " WHERE pk = ?1 AND sk = ?2", answer!()))?
            .query_row(arguments, read)
            .optional(),
        Condition::Version(version) => conn
            .prepare_cached(concat!(
                "UPDATE record SET ",
                added!(),
                " WHERE pk = ?1 AND sk = ?2 AND version = ?5",
                answer!()
            ))?
            .query_row(params![key.pk, key.sk, path, amount, stored(version)], read)
            .optional(),
        Condition::None => conn
            .prepare_cached(concat!(insert!(), "UPDATE SET ", added!(), answer!()))?
            .query_row(arguments, read)
            .optional(),
    }
}

/// A version as SQLite keeps it. No row gets as far as 2^63 changes.
const fn stored(version: u64) -> i64 {
    version.cast_signed()
}
