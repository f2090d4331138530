//! The suite on the embedded adapters, and what only they promise: processes that share a directory,
//! durability, delays of any length by a clock that the test moves.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use svc_conformance::{blobs, queue, table};
use svc_storage::{Blobs, Commit, Condition, Key, Op, Queue, StorageError, Table};
use svc_storage_sqlite::{Clock, SqliteOptions, SqliteStore};

use crate::wall_clock;

fn open(dir: &Path) -> SqliteStore {
    let options = SqliteOptions { visibility: queue::VISIBILITY, ..SqliteOptions::default() };
    SqliteStore::open(dir, options, wall_clock()).unwrap()
}

/// A clock that the test moves, in milliseconds.
#[derive(Clone, Default)]
struct Moved(Arc<AtomicI64>);

impl Moved {
    fn clock(&self) -> Clock {
        let now = self.0.clone();
        Arc::new(move || Timestamp::from_millisecond(now.load(Ordering::SeqCst)).unwrap())
    }

    fn by(&self, duration: Duration) {
        self.0.fetch_add(duration.as_millis() as i64, Ordering::SeqCst);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn table_alone() {
    let dir = tempfile::tempdir().unwrap();
    table::alone(&*open(dir.path()).table()).await;
}

/// Each handle has connections and a writer of its own, as another process would.
#[tokio::test(flavor = "multi_thread")]
async fn table_together() {
    let dir = tempfile::tempdir().unwrap();
    let handles: Vec<Arc<dyn Table>> = (0..3).map(|_| open(dir.path()).table()).collect();
    table::together(&handles).await;
}

#[test]
fn table_matches_the_model() {
    let dir = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    table::matches_the_model(runtime.handle(), &*open(dir.path()).table(), 256);
}

#[tokio::test(flavor = "multi_thread")]
async fn queue() {
    let dir = tempfile::tempdir().unwrap();
    let handles: Vec<Arc<dyn Queue>> = (0..2).map(|_| open(dir.path()).queue()).collect();
    queue::all(&handles).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn blobs() {
    let dir = tempfile::tempdir().unwrap();
    let handles: Vec<Arc<dyn Blobs>> = (0..2).map(|_| open(dir.path()).blobs()).collect();
    blobs::all(&handles).await;
}

#[tokio::test]
async fn a_delay_of_weeks_ends_when_its_time_comes() {
    let dir = tempfile::tempdir().unwrap();
    let moved = Moved::default();
    let store = SqliteStore::open(dir.path(), SqliteOptions::default(), moved.clock()).unwrap();
    let queue = store.queue();
    let weeks = Duration::from_secs(40 * 24 * 3600);
    queue.send("weeks", weeks).await.unwrap();
    queue.send("never", Duration::MAX).await.unwrap();

    moved.by(weeks - Duration::from_millis(1));
    assert_eq!(queue.receive(10, Duration::ZERO).await.unwrap(), []);
    moved.by(Duration::from_millis(1));
    let messages = queue.receive(10, Duration::ZERO).await.unwrap();
    assert_eq!(messages.iter().map(|message| message.body.as_str()).collect::<Vec<_>>(), ["weeks"]);
}

#[tokio::test]
async fn a_sweep_removes_what_expired_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let moved = Moved::default();
    let store = SqliteStore::open(dir.path(), SqliteOptions::default(), moved.clock()).unwrap();
    let table = store.table();
    let key = |n: usize| Key::new("sweep", format!("{n:04}"));
    for n in 0..1_200 {
        let op = Op::create(key(n), &n).expiring(if n < 1_100 { 60 } else { 120 });
        table.commit(&Commit { ops: vec![op], token: None }).await.unwrap();
    }
    let kept = Op::create(Key::new("sweep", "kept"), &0);
    let once = Commit { ops: vec![kept], token: Some("once".into()) };
    table.commit(&once).await.unwrap();

    assert_eq!(store.sweep().await.unwrap(), 0);
    moved.by(Duration::from_secs(61));
    assert_eq!(store.sweep().await.unwrap(), 1_100);
    assert!(table.get(&key(1_100)).await.unwrap().is_some());

    // A token outlives the 10 minutes that are promised, and not much more.
    moved.by(Duration::from_secs(10 * 60));
    assert_eq!(store.sweep().await.unwrap(), 100);
    table.commit(&once).await.unwrap();
    moved.by(Duration::from_secs(10 * 60));
    store.sweep().await.unwrap();
    let again = table.commit(&once).await;
    assert!(matches!(again, Err(StorageError::Conflict { op: 0, current: Some(_) })), "{again:?}");
}

#[tokio::test]
async fn a_closed_store_keeps_everything_in_one_file_and_refuses_more() {
    let dir = tempfile::tempdir().unwrap();
    let key = Key::new("closed", "row");
    let put = Commit { ops: vec![Op::put(key.clone(), Condition::None, &"kept")], token: None };
    {
        let store = open(dir.path());
        let table = store.table();
        table.commit(&put).await.unwrap();
        table.get(&key).await.unwrap();
        store.close().await;
        store.close().await;
        assert!(matches!(table.get(&key).await, Err(StorageError::Unavailable(_))));
        assert!(matches!(table.commit(&put).await, Err(StorageError::Unavailable(_))));
    }
    assert!(!dir.path().join("store.db-wal").exists(), "the log was not written back");
    assert_eq!(open(dir.path()).table().get(&key).await.unwrap().unwrap().doc.as_ref(), "\"kept\"");
}

#[tokio::test]
async fn files_are_the_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let parent = tempfile::tempdir().unwrap();
    let dir = parent.path().join("data");
    let store = open(&dir);
    let op = Op::put(Key::new("p", "s"), Condition::None, &1);
    store.table().commit(&Commit { ops: vec![op], token: None }).await.unwrap();
    let key = svc_storage::BlobKey::new(svc_storage::Retention::Log, "run/1");
    store.blobs().put_once(&key, bytes::Bytes::from_static(b"1")).await.unwrap();
    let mode = |path: &str| dir.join(path).metadata().unwrap().permissions().mode() & 0o777;
    for name in ["", "blobs", "blobs/log", "blobs/log/run"] {
        assert_eq!(mode(name), 0o700, "{name}");
    }
    for name in ["store.db", "store.db-wal", "store.db-shm", "store.lock", "blobs/log/run/1"] {
        assert_eq!(mode(name), 0o600, "{name}");
    }
}

#[tokio::test]
async fn a_later_layout_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    open(dir.path()).close().await;
    // The layout's number is at byte 60 of an SQLite file.
    let path = dir.path().join("store.db");
    let mut file = std::fs::read(&path).unwrap();
    file[60..64].copy_from_slice(&9_u32.to_be_bytes());
    std::fs::write(&path, file).unwrap();
    let opened = SqliteStore::open(dir.path(), SqliteOptions::default(), wall_clock());
    match opened {
        Err(StorageError::Unusable(text)) => assert!(text.contains("newer version (layout 9"), "{text}"),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("a later layout was opened"),
    }
}

/// A missing file beside attachments started as a new instance, which belonged to whoever came first.
#[tokio::test]
async fn a_store_that_is_missing_beside_its_blobs_is_not_made_anew() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    assert!(store.is_new());
    store.close().await;
    let again = open(dir.path());
    assert!(!again.is_new());
    again.table().probe().await.unwrap();
    again.blobs().probe().await.unwrap();
    std::fs::remove_file(dir.path().join("store.db")).unwrap();
    assert!(again.table().probe().await.unwrap_err().to_string().contains("store.db is gone"));
    let refused = SqliteStore::open(dir.path(), SqliteOptions::default(), wall_clock()).err().unwrap();
    assert!(refused.to_string().contains("restore the directory from a backup"), "{refused}");
    assert!(!dir.path().join("store.db").exists());
    std::fs::write(dir.path().join("store.db"), "").unwrap();
    assert!(again.table().probe().await.unwrap_err().to_string().contains("was replaced"));
    std::fs::remove_dir_all(dir.path().join("blobs")).unwrap();
    assert!(again.blobs().probe().await.unwrap_err().to_string().contains("attachments"));
}

/// What is written into a file without a name is lost with the process, and so is what its log has.
#[tokio::test]
async fn nothing_is_acknowledged_that_the_next_start_would_not_find() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    let key = Key::new("kept", "row");
    let write = || async { store.table().increment(&key, "n", 1, None).await };
    assert_eq!(write().await.unwrap(), 1);
    for name in ["store.db", "store.db-wal"] {
        let elsewhere = dir.path().join("elsewhere");
        std::fs::rename(dir.path().join(name), &elsewhere).unwrap();
        match write().await {
            Err(StorageError::Unusable(text)) => assert!(text.contains(&format!("{name} is gone")), "{text}"),
            other => panic!("{name}: {other:?}"),
        }
        assert!(store.queue().send("body", Duration::ZERO).await.is_err(), "{name}");
        std::fs::rename(&elsewhere, dir.path().join(name)).unwrap();
    }
    assert_eq!(write().await.unwrap(), 2, "the file is back, and nothing of what was refused is in it");
}

#[tokio::test]
async fn a_backup_of_an_open_store_is_a_store_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    let key = Key::new("kept", "row");
    store.table().increment(&key, "n", 3, None).await.unwrap();
    let files = dir.path().join("blobs/log/a");
    std::fs::create_dir_all(&files).unwrap();
    std::fs::write(files.join("b"), "bytes").unwrap();
    std::fs::write(dir.path().join("blobs/.tmp/half"), "unfinished").unwrap();

    let target = tempfile::tempdir().unwrap();
    let to = target.path().join("copy");
    let copied = svc_storage_sqlite::back_up(dir.path(), &to).unwrap();
    assert_eq!((copied.rows, copied.blobs), (1, 1));
    let again = svc_storage_sqlite::back_up(dir.path(), &to).unwrap_err();
    assert!(again.to_string().contains("is not empty"), "{again}");
    assert_eq!(std::fs::read_to_string(to.join("blobs/log/a/b")).unwrap(), "bytes");
    assert!(!to.join("blobs/.tmp/half").exists());
    let mode = |path| std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(path).unwrap()) & 0o777;
    assert_eq!((mode(to.clone()), mode(to.join("store.db"))), (0o700, 0o600));

    let shared = target.path().join("shared");
    std::fs::create_dir(&shared).unwrap();
    std::fs::set_permissions(&shared, std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
    svc_storage_sqlite::back_up(dir.path(), &shared).unwrap();
    assert_eq!(mode(shared), 0o700, "nobody else puts files there");

    store.table().increment(&key, "n", 1, None).await.unwrap();
    let restored = open(&to);
    assert_eq!(restored.table().increment(&key, "n", 0, None).await.unwrap(), 3);
}

/// A copy that failed left files in its new directory, and the next one to it was refused.
#[tokio::test]
async fn a_backup_that_fails_leaves_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    store.table().increment(&Key::new("kept", "row"), "n", 3, None).await.unwrap();
    let files = dir.path().join("blobs/log/a");
    std::fs::create_dir_all(&files).unwrap();
    std::os::unix::fs::symlink(dir.path(), files.join("no-file")).unwrap();
    let target = tempfile::tempdir().unwrap();
    let (to, empty) = (target.path().join("copy"), target.path().join("empty"));
    std::fs::create_dir(&empty).unwrap();
    svc_storage_sqlite::back_up(dir.path(), &to).unwrap_err();
    svc_storage_sqlite::back_up(dir.path(), &empty).unwrap_err();
    assert!(!to.exists());
    assert!(std::fs::read_dir(&empty).unwrap().next().is_none(), "the operator's own directory stays");
    std::fs::remove_file(files.join("no-file")).unwrap();
    assert_eq!(svc_storage_sqlite::back_up(dir.path(), &to).unwrap().rows, 1);
    svc_storage_sqlite::back_up(dir.path(), &empty).unwrap();
}

#[tokio::test]
async fn a_backup_into_the_data_directory_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let _store = open(&data);
    std::os::unix::fs::symlink(&data, dir.path().join("link")).unwrap();
    for to in ["data", "data/copy", "data/a/b", "link/copy", "data/blobs/copy"] {
        let refused = svc_storage_sqlite::back_up(&data, &dir.path().join(to)).unwrap_err();
        assert!(refused.to_string().contains("name a directory outside"), "{to}: {refused}");
    }
    assert!(!data.join("copy").exists() && !data.join("a").exists());
    svc_storage_sqlite::back_up(&data, &dir.path().join("data-copy")).unwrap();
}

/// Without a pause between commits, the log grew to 38 MB for 1.4 MB of rows.
#[tokio::test(flavor = "multi_thread")]
async fn the_log_stays_short_under_a_load_without_pauses() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    let writers = (0..4).map(|writer| {
        let table = store.table();
        tokio::spawn(async move {
            for n in 0..400 {
                let value = std::collections::BTreeMap::from([("text", "x".repeat(30_000))]);
                let op = Op::create(Key::new(format!("p{}", n % 10), format!("{writer}.{n}")), &value);
                table.commit(&Commit { ops: vec![op], token: None }).await.unwrap();
            }
        })
    });
    futures::future::try_join_all(writers).await.unwrap();
    let log = std::fs::metadata(dir.path().join("store.db-wal")).unwrap().len();
    assert!(log < 30 * 1024 * 1024, "{log} bytes");
    store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_processes_may_open_a_directory_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let stores: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| open(dir.path()))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for (n, store) in stores.iter().enumerate() {
        let value = store.table().increment(&Key::new("open", "row"), "n", 1, None).await.unwrap();
        assert_eq!(value, n as i64 + 1);
        store.close().await;
    }
}
