//! The database file: its tables, and how a connection to it is set up. Nothing else issues a `PRAGMA` that
//! configures or a `CREATE`.

use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
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
const WAL_BYTES: i64 = 8 * 1024 * 1024;

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
///
/// A file that is there is never empty: it is made under another name, and gets its own when it is whole.
pub(crate) fn prepare(path: &Path) -> Result<(), StorageError> {
    if path.exists() {
        intact(path)?;
        return lay_out(path);
    }
    let new = path.with_extension("new");
    for left in [new.clone(), companion(&new, "-wal"), companion(&new, "-shm")] {
        match std::fs::remove_file(left) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error::file(error)),
            _ => {}
        }
    }
    // SQLite gives its log and index files the mode of the database, so that setting it once is enough.
    OpenOptions::new().create(true).append(true).mode(0o600).open(&new).map_err(error::file)?;
    lay_out(&new)?;
    std::fs::rename(&new, path).map_err(error::file)?;
    // The new name must last as what is written under it does.
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    File::open(directory.unwrap_or(Path::new("."))).and_then(|dir| dir.sync_all()).map_err(error::file)
}

/// A file of SQLite beside the database.
fn companion(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Refuses a file that was cut off: its pages beyond the end would be read as memory that is not there.
pub(crate) fn intact(path: &Path) -> Result<(), StorageError> {
    let size = std::fs::metadata(path).map_err(error::file)?.len();
    let name = path.display();
    if size == 0 {
        return Err(StorageError::Corrupt(format!(
            "{name} is empty: it was cut off. Restore it from a backup; to begin anew, move the whole directory away"
        )));
    }
    let mut head = [0; 100];
    let whole = File::open(path).map_err(error::file)?.read_exact(&mut head);
    if whole.is_err() || !head.starts_with(b"SQLite format 3\0") {
        return Err(StorageError::Corrupt(format!("{name} is no database of this service")));
    }
    // What the log still holds of a larger database is copied into the file when it is opened.
    let log = std::fs::metadata(companion(path, "-wal")).map_or(0, |log| log.len());
    let page = match u16::from_be_bytes([head[16], head[17]]) {
        1 => 65_536,
        bytes => u64::from(bytes),
    };
    // The number of pages counts only where who wrote last knew of it.
    let counted = head[24..28] == head[92..96];
    let pages = u64::from(u32::from_be_bytes([head[28], head[29], head[30], head[31]]));
    if counted && size + log < pages * page {
        return Err(StorageError::Corrupt(format!(
            "{name} was cut off: it has {size} of {} bytes. Restore it from a backup",
            pages * page
        )));
    }
    Ok(())
}

fn lay_out(path: &Path) -> Result<(), StorageError> {
    let conn = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(error::database)?;
    conn.pragma_update(None, "journal_mode", "WAL").map_err(error::database)?;
    conn.execute_batch("BEGIN IMMEDIATE").map_err(error::database)?;
    let layout: i64 = conn.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(error::database)?;
    if layout == 0 {
        conn.execute_batch(TABLES).map_err(error::database)?;
        conn.pragma_update(None, "user_version", LAYOUT).map_err(error::database)?;
    } else {
        known(path, layout)?;
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

/// How a store is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// By a process that may write too.
    Shared,
    /// By one that may not, beside others that may: the log and its index are there.
    ReadOnly,
    /// By one that may not, of a directory where nobody can write.
    Immutable,
}

/// A connection that only reads.
pub(crate) fn reader(path: &Path, access: Access) -> rusqlite::Result<Connection> {
    let conn = match access {
        Access::Shared => connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?,
        Access::ReadOnly => connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?,
        Access::Immutable => {
            let escaped = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
            let uri = PathBuf::from(format!("file:{escaped}?immutable=1"));
            connect(&uri, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI)?
        }
    };
    conn.pragma_update(None, "query_only", true)?;
    Ok(conn)
}

/// How a store can be read without writing anything, and that its layout is known.
pub(crate) fn readable(path: &Path) -> Result<Access, StorageError> {
    intact(path)?;
    // Without a log, all is in the file; the index of a log cannot be made where nobody can write.
    let logged = std::fs::metadata(companion(path, "-wal")).is_ok_and(|log| log.len() > 0);
    let indexed = companion(path, "-shm").exists();
    let may_write = |path: &Path| rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok();
    let writable = may_write(path) && path.parent().is_none_or(|parent| parent == "" || may_write(parent));
    let access = how(logged, indexed, writable).ok_or_else(|| {
        StorageError::Corrupt(format!(
            "{} has a log that was not copied into it, and nothing can be written there: copy the directory to where \
             it can, and look at the copy",
            path.display()
        ))
    })?;
    let conn = reader(path, access).map_err(error::database)?;
    let layout: i64 = conn.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(error::database)?;
    known(path, layout).map(|()| access)
}

/// How to read a store that has a log or not, with its index or not, where writing is possible or not; not at all
/// where the log would be left out.
const fn how(logged: bool, indexed: bool, writable: bool) -> Option<Access> {
    match (logged, indexed, writable) {
        (_, _, true) => Some(Access::Shared),
        (true, true, false) => Some(Access::ReadOnly),
        (false, _, false) => Some(Access::Immutable),
        (true, false, false) => None,
    }
}

fn known(path: &Path, layout: i64) -> Result<(), StorageError> {
    if layout == LAYOUT {
        return Ok(());
    }
    Err(StorageError::Unusable(format!(
        "{} was written by a newer version (layout {layout}; this one knows {LAYOUT}): start that version, or restore \
         a backup from before the upgrade",
        path.display()
    )))
}

fn connect(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let mut conn = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    conn.busy_handler(Some(wait_for_lock))?;
    // Plans do not depend on values here. Without this, a statement with a range is planned anew for each of them.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    conn.pragma_update(None, "mmap_size", MMAP_BYTES)?;
    Ok(conn)
}

/// SQLite's own waiting grows to 100 ms, far longer than another process's commit takes.
fn wait_for_lock(tries: i32) -> bool {
    std::thread::sleep(BUSY_STEP);
    BUSY_STEP.saturating_mul(tries.unsigned_abs()) < BUSY_LIMIT
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use svc_storage::StorageError;

    use super::{Access, how, intact, prepare, readable};

    fn refused(checked: Result<(), StorageError>) -> String {
        match checked {
            Err(StorageError::Corrupt(why)) => why,
            other => panic!("{other:?}"),
        }
    }

    fn store(directory: &Path) -> std::path::PathBuf {
        let path = directory.join("store.db");
        prepare(&path).unwrap();
        path
    }

    /// An empty file started as a new instance, and one that was cut off ended the process by a signal.
    #[test]
    fn a_file_that_was_cut_off_is_refused_with_a_sentence() {
        let directory = tempfile::tempdir().unwrap();
        let path = store(directory.path());
        intact(&path).unwrap();
        let whole = fs::read(&path).unwrap();
        for (length, expected) in [(0, "is empty"), (50, "is no database"), (whole.len() / 2, "was cut off")]
        {
            fs::write(&path, &whole[..length]).unwrap();
            for checked in [intact(&path), prepare(&path), readable(&path).map(drop)] {
                let why = refused(checked);
                assert!(why.contains(expected), "{length}: {why}");
            }
            assert_eq!(fs::metadata(&path).unwrap().len(), length as u64, "and left as it is");
        }
        fs::write(&path, vec![b'x'; 8_192]).unwrap();
        assert!(refused(prepare(&path)).contains("is no database"));
        fs::write(&path, &whole).unwrap();
        prepare(&path).unwrap();
    }

    #[test]
    fn a_file_that_was_never_finished_is_made_anew() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("store.new"), "half").unwrap();
        store(directory.path());
        assert!(!directory.path().join("store.new").exists());
    }

    #[test]
    fn reading_writes_nothing_where_nothing_can_be_written_and_leaves_no_log_out() {
        assert_eq!(how(false, false, true), Some(Access::Shared));
        assert_eq!(how(true, true, true), Some(Access::Shared));
        assert_eq!(how(true, true, false), Some(Access::ReadOnly));
        assert_eq!(how(false, true, false), Some(Access::Immutable));
        assert_eq!(how(false, false, false), Some(Access::Immutable));
        assert_eq!(how(true, false, false), None);
    }

    #[test]
    fn an_immutable_store_is_read_whatever_its_path() {
        let directory = tempfile::tempdir().unwrap();
        let odd = directory.path().join("50% #1?");
        fs::create_dir(&odd).unwrap();
        let path = store(&odd);
        let before: Vec<_> = fs::read_dir(&odd).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        let conn = super::reader(&path, Access::Immutable).unwrap();
        let rows: i64 = conn.query_row("SELECT count(*) FROM record", [], |row| row.get(0)).unwrap();
        assert_eq!(rows, 0);
        let after: Vec<_> = fs::read_dir(&odd).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(before, after);
    }
}
