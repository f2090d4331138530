//! Measures durable commits a second with 1, 8 and 64 writers, and reads while nobody writes:
//!
//! ```sh
//! cargo run --release -p svc-storage-sqlite --example group_commit [directory]
//! ```
//!
//! A commit is what changing an item takes: two rows replaced or made, one made, and a token. The directory
//! should be on the disk in question; without one, a temporary directory beside the build is used.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use svc_storage::{Commit, Condition, Key, Op, StorageError, Table};
use svc_storage_sqlite::{SqliteOptions, SqliteStore};

/// How long each number of writers writes.
const TIME: Duration = Duration::from_secs(3);

const WRITERS: [usize; 3] = [1, 8, 64];

/// The document of a row, about as large as an item's.
const DOC: &str = "a title of the usual length and a body of two short paragraphs, as people write them; ";

fn main() -> Result<(), StorageError> {
    let temporary = tempfile::tempdir_in(".").expect("the directory can be written");
    let dir = std::env::args().nth(1).map_or_else(|| temporary.path().to_owned(), PathBuf::from);
    let runtime = tokio::runtime::Runtime::new().expect("threads can be started");
    runtime.block_on(async {
        let clock = Arc::new(|| Timestamp::UNIX_EPOCH);
        let store = SqliteStore::open(&dir, SqliteOptions::default(), clock)?;
        let mut single = 0.0;
        // The first second of a new file is another one's than the rest.
        write(&store, 8, 0).await?;
        for writers in WRITERS {
            let (rate, p50, p99) = write(&store, writers, writers).await?;
            single = if writers == 1 { rate } else { single };
            println!(
                "{writers:>2} writers: {rate:>8.0} commits/s  {:>4.1}x  p50 {p50:>9.0?}  p99 {p99:>9.0?}",
                rate / single
            );
        }
        read(&*store.table()).await?;
        store.close().await;
        Ok(())
    })
}

/// Commits a second, and the times that half of them and 99 % of them took at most.
async fn write(
    store: &SqliteStore,
    writers: usize,
    round: usize,
) -> Result<(f64, Duration, Duration), StorageError> {
    let begun = Instant::now();
    let tasks = (0..writers).map(|writer| {
        let table = store.table();
        tokio::spawn(async move {
            let mut times = Vec::new();
            for n in 0.. {
                let commit = change(round, writer, n);
                let sent = Instant::now();
                table.commit(&commit).await?;
                times.push(sent.elapsed());
                if begun.elapsed() > TIME {
                    break;
                }
            }
            Ok::<_, StorageError>(times)
        })
    });
    let mut times = Vec::new();
    for task in tasks.collect::<Vec<_>>() {
        times.extend(task.await.expect("a writer ends by itself")?);
    }
    let rate = times.len() as f64 / begun.elapsed().as_secs_f64();
    times.sort_unstable();
    Ok((rate, times[times.len() / 2], times[times.len() * 99 / 100]))
}

/// An item and its feed row are replaced, and a row of its history is made.
fn change(round: usize, writer: usize, n: u64) -> Commit {
    let pk = format!("item/{round}/{writer}");
    let version = if n == 0 { Condition::Absent } else { Condition::Version(n) };
    Commit {
        ops: vec![
            Op::put(Key::new(&pk, "item"), version, &DOC.repeat(8)),
            Op::put(Key::new("feed", format!("{round}/{writer:02}")), Condition::None, &DOC.repeat(3)),
            Op::create(Key::new(&pk, format!("history/{n:08}")), &DOC),
        ],
        token: Some(format!("{round}/{writer}/{n}")),
    }
}

/// What a point read takes, and six rows at once.
async fn read(table: &dyn Table) -> Result<(), StorageError> {
    const READS: u32 = 100_000;
    let keys: Vec<Key> = (0..64).map(|writer| Key::new(format!("item/64/{writer}"), "item")).collect();
    let begun = Instant::now();
    for n in 0..READS as usize {
        table.get(&keys[n % keys.len()]).await?;
    }
    println!("one row:  {:>6.1?}", begun.elapsed() / READS);
    let begun = Instant::now();
    for n in 0..READS as usize {
        table.get_many(&keys[n % 58..][..6]).await?;
    }
    println!("six rows: {:>6.1?}", begun.elapsed() / READS);
    Ok(())
}
