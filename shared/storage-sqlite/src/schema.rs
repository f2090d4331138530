//! The database file: its tables, and how a connection to it is set up. Nothing else issues a `PRAGMA` that
//! configures or a `CREATE`.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use svc_storage::StorageError;

use crate::error;

/// How long a connection waits for another process's lock, and between two looks at it.
const BUSY_LIMIT: Duration = Duration::from_secs(10);
const BUSY_STEP: Duration = Duration::from_micros(500);

/// Bytes of the file that are read through the page cache of the system. A reader's own cache is dropped
/// whenever anybody writes, so that without this every read after a write would be a system call per page.
const MMAP_BYTES: i64 = 256 * 1024 * 1024;

/// The write-ahead log shrinks to this when it starts over.
const WAL_BYTES: i64 = 64 * 1024 * 1024;

/// The layout that this program reads and writes, kept in `user_version`. A later layout is refused, so that
/// an old program never writes into it.
const LAYOUT: i64 = 1;

/// Keys first, so that comparing them never touches the document's overflow pages. `message.id` is never used
/// again (`AUTOINCREMENT`), so that an old receipt cannot acknowledge a new message.
const TABLES: &str = "
    CREATE TABLE record (
        pk       TEXT    NOT NULL,
        sk       TEXT    NOT NULL,
        version  INTEGER NOT NULL,
        ttl      INTEGER,
        counters TEXT,
        doc      TEXT    NOT NULL,
        PRIMARY KEY (pk, sk)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX record_ttl ON record (ttl) WHERE ttl IS NOT NULL;
    CREATE TABLE token (
        identity BLOB    NOT NULL PRIMARY KEY,
        at       INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE message (
        id       INTEGER PRIMARY KEY AUTOINCREMENT,
        due      INTEGER NOT NULL,
        attempts INTEGER NOT NULL,
        body     TEXT    NOT NULL
    ) STRICT;
    CREATE INDEX message_due ON message (due);
";

/// Makes the file where it is not, and brings it to this program's layout.
pub(crate) fn prepare(path: &Path) -> Result<(), StorageError> {
    // SQLite gives its log and index files the mode of the database, so that setting it once is enough.
    OpenOptions::new().create(true).append(true).mode(0o600).open(path).map_err(error::file)?;
    let conn = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(error::database)?;
    conn.pragma_update(None, "journal_mode", "WAL").map_err(error::database)?;
    conn.execute_batch("BEGIN IMMEDIATE").map_err(error::database)?;
    let layout: i64 = conn.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(error::database)?;
    match layout {
        LAYOUT => {}
        0 => {
            conn.execute_batch(TABLES).map_err(error::database)?;
            conn.pragma_update(None, "user_version", LAYOUT).map_err(error::database)?;
        }
        newer => {
            let text = format!("{} has layout {newer}; this program knows {LAYOUT}", path.display());
            return Err(StorageError::Corrupt(text));
        }
    }
    conn.execute_batch("COMMIT").map_err(error::database)
}

/// A connection that writes.
pub(crate) fn writer(path: &Path) -> rusqlite::Result<Connection> {
    let conn = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    conn.pragma_update(None, "synchronous", "FULL")?;
    // Copying the log back is the checkpoint thread's work, not a commit's.
    conn.pragma_update(None, "wal_autocheckpoint", 0)?;
    conn.pragma_update(None, "journal_size_limit", WAL_BYTES)?;
    // What a savepoint would need to undo stays in memory.
    conn.pragma_update(None, "temp_store", "MEMORY")?;
    conn.set_prepared_statement_cache_capacity(48);
    Ok(conn)
}

/// A connection that only reads.
pub(crate) fn reader(path: &Path) -> rusqlite::Result<Connection> {
    let conn = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    conn.pragma_update(None, "query_only", true)?;
    Ok(conn)
}

fn connect(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let mut conn = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    conn.busy_handler(Some(wait_for_lock))?;
    conn.pragma_update(None, "mmap_size", MMAP_BYTES)?;
    Ok(conn)
}

/// SQLite's own waiting grows to 100 ms, far longer than another process's commit takes.
fn wait_for_lock(tries: i32) -> bool {
    std::thread::sleep(BUSY_STEP);
    BUSY_STEP.saturating_mul(tries.unsigned_abs()) < BUSY_LIMIT
}
