//! Processes that are killed in the middle of their commits.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use jiff::Timestamp;
use svc_storage::{Query, Range, Table};
use svc_storage_sqlite::{SqliteOptions, SqliteStore};

const ROUNDS: usize = 3;
const COMMITS: usize = 300;

#[tokio::test]
async fn what_was_acknowledged_survives_a_kill_and_nothing_is_halved() {
    let dir = tempfile::tempdir().unwrap();
    for round in 0..ROUNDS {
        // Two processes share the directory, and are killed one after the other.
        let writers =
            ["first", "second"].map(|writer| Writer::start(dir.path(), &format!("{writer} {round}")));
        let acknowledged = writers.map(|writer| (writer.name.clone(), writer.kill_after(COMMITS)));

        let clock = Arc::new(|| Timestamp::UNIX_EPOCH);
        let store = SqliteStore::open(dir.path(), SqliteOptions::default(), clock).unwrap();
        for (name, acknowledged) in acknowledged {
            assert!(acknowledged.len() >= COMMITS);
            let [a, b] =
                [numbers(&*store.table(), &name, "a/").await, numbers(&*store.table(), &name, "b/").await];
            assert_eq!(a, b, "a commit was halved");
            for n in acknowledged {
                assert!(a.binary_search(&n).is_ok(), "{name}: commit {n} was acknowledged and is lost");
            }
        }
        store.close().await;
    }
}

async fn numbers(table: &dyn Table, pk: &str, prefix: &str) -> Vec<u64> {
    let query = Query::new(pk, Range::Prefix(prefix.into()), 1_000);
    let rows = table.query_all(query).await.unwrap();
    rows.into_iter().map(|row| row.read().unwrap()).collect()
}

struct Writer {
    name: String,
    process: Child,
    acknowledged: Receiver<u64>,
}

impl Writer {
    fn start(dir: &Path, name: &str) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_commit-until-killed"))
            .arg(dir)
            .arg(name)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let (send, acknowledged) = channel();
        std::thread::spawn(move || {
            for line in lines {
                // A kill may cut the last line: it is no acknowledgement then, or that of a smaller number,
                // which was acknowledged before.
                if let Ok(n) = line.unwrap_or_default().parse() {
                    send.send(n).ok();
                }
            }
        });
        Self { name: name.to_owned(), process, acknowledged }
    }

    /// Kills the process when it has so many commits; returns all that it was told are done.
    fn kill_after(mut self, commits: usize) -> Vec<u64> {
        let wait = Duration::from_secs(60);
        let mut seen: Vec<u64> =
            (0..commits).map(|_| self.acknowledged.recv_timeout(wait).expect("commits go on")).collect();
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        // Ends with the process's output.
        seen.extend(self.acknowledged.iter());
        seen
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Ended already, unless an assertion failed before.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
