//! Cold starts: how soon a server that was just started answers a list, and how much memory each size takes.

use std::time::Duration;

use svc_end_to_end::{Stage, eventually};
use tokio::time::Instant;

use super::reads::FILTER;
use super::rest::resident_megabytes;
use crate::driver::Connection;
use crate::report::{Report, Target, Unit, median};
use crate::seed::{SIZES, target};

const STARTS: usize = 5;
const BOUND: Duration = Duration::from_secs(300);
/// Milliseconds to the first list of a project from its snapshot: of a hundred thousand items, and of a million.
const MOST: [(usize, f64); 2] = [(2, 1_000.0), (3, 5_000.0)];

pub(crate) async fn cold(report: &mut Report, stage: &mut Stage) {
    for (key, size) in SIZES {
        let began = restart(stage).await;
        let every_row = first_list(stage, key).await;
        report.detail(
            format!("server with {size} items in memory, resident"),
            memory(stage),
            Unit::Megabytes,
        );
        report.detail("more than at its start", memory(stage) - began, Unit::Megabytes);
        report.detail("first list, which reads every row", every_row, Unit::Millis);
    }
    for (index, most) in MOST {
        from_snapshot(report, stage, SIZES[index], most).await;
    }
}

async fn from_snapshot(report: &mut Report, stage: &mut Stage, (key, size): (&str, usize), most: f64) {
    // The servers above asked their workers for snapshots.
    let snapshots = stage.server.data().join("blobs/snapshot/feed");
    eventually("a snapshot of a large project", BOUND, async || has_snapshot(&snapshots, key).then_some(()))
        .await;
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        restart(stage).await;
        starts.push(first_list(stage, key).await);
    }
    let work = format!("cold start of {size} items from a snapshot, first list");
    report.budget(work, Target::AtMost(most), median(&starts), Unit::Millis);
}

/// A new process on the same data; its memory.
async fn restart(stage: &mut Stage) -> f64 {
    stage.server.stop(BOUND).await;
    stage.server.start_again().await;
    memory(stage)
}

fn memory(stage: &Stage) -> f64 {
    resident_megabytes(stage.server.process().pid())
}

/// Milliseconds until a list is answered.
async fn first_list(stage: &Stage, key: &str) -> f64 {
    let request = target(stage).get(&format!("/api/v1/orgs/{}/projects/{key}/items?{FILTER}", stage.org()));
    let mut connection = Connection::open(stage.server.address()).await.expect("a connection can be opened");
    let began = Instant::now();
    let answer = connection.send(&request).await.expect("an answer comes");
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(answer.body));
    began.elapsed().as_secs_f64() * 1000.0
}

/// Whether there is a file in `<org>/<key>` of the directory.
fn has_snapshot(directory: &std::path::Path, key: &str) -> bool {
    let Ok(orgs) = std::fs::read_dir(directory) else { return false };
    let files = |org: std::fs::DirEntry| std::fs::read_dir(org.path().join(key)).ok();
    orgs.flatten().filter_map(files).any(|mut files| files.next().is_some())
}
