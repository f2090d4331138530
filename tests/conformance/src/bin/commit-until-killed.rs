//! A process that commits to an embedded store until it is killed, and prints the number of each commit as
//! soon as that is acknowledged. The durability case starts several on one directory.
//!
//! `commit-until-killed <directory> <writer>`: commit `n` of a writer makes the rows `a/n` and `b/n` of the
//! partition `<writer>`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;
use svc_storage::{Commit, Key, Op, StorageError};
use svc_storage_sqlite::{SqliteOptions, SqliteStore};

/// Commits under way at once, so that a kill meets groups.
const AT_ONCE: usize = 4;

#[tokio::main]
async fn main() -> Result<(), StorageError> {
    let mut arguments = std::env::args().skip(1);
    let (Some(dir), Some(writer)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: commit-until-killed <directory> <writer>");
        std::process::exit(2);
    };
    let clock = Arc::new(|| Timestamp::UNIX_EPOCH);
    let store = SqliteStore::open(&PathBuf::from(dir), SqliteOptions::default(), clock)?;
    let next = AtomicU64::new(0);
    let commits = (0..AT_ONCE).map(async |_| {
        let table = store.table();
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            let row = |half: &str| Op::create(Key::new(&writer, format!("{half}/{n:08}")), &n);
            table.commit(&Commit { ops: vec![row("a"), row("b")], token: None }).await?;
            let mut out = std::io::stdout().lock();
            // Nobody reads any more: the end.
            if writeln!(out, "{n}").and_then(|()| out.flush()).is_err() {
                return Ok::<(), StorageError>(());
            }
        }
    });
    futures::future::try_join_all(commits).await.map(drop)
}
