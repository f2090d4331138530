//! The server at rest: how soon it answers, and how much memory it holds.

use std::time::Duration;

use rustix::process::Pid;
use svc_end_to_end::Stage;
use tokio::time::{Instant, sleep};

use crate::report::{Report, Target, Unit, median};

const STARTS: usize = 7;
/// What a start leaves to be done in the background is done after this.
const SETTLE: Duration = Duration::from_secs(2);

pub(crate) async fn rest(report: &mut Report) {
    let mut stage = Stage::set(&[]).await;
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        stage.server.stop(Duration::from_secs(15)).await;
        let began = Instant::now();
        stage.server.start_again().await;
        starts.push(began.elapsed().as_secs_f64() * 1000.0);
    }
    report.budget("start to first answer", Target::AtMost(200.0), median(&starts), Unit::Millis);
    stage.item(&format!("{}-1", stage.project())).await;
    sleep(SETTLE).await;
    let resident = resident_megabytes(stage.server.process().pid());
    report.budget("server at rest, resident", Target::AtMost(40.0), resident, Unit::Megabytes);
}

/// Memory of a process that is in RAM, its program included.
pub(crate) fn resident_megabytes(pid: Pid) -> f64 {
    let path = format!("/proc/{}/status", pid.as_raw_nonzero());
    let status = std::fs::read_to_string(path).expect("the process is there");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory is known");
    let kilobytes: f64 = line.trim().trim_end_matches(" kB").parse().expect("a number of kilobytes");
    kilobytes / 1024.0
}

/// Seconds that a process has spent on a core.
pub(crate) fn cpu_seconds(pid: Pid) -> f64 {
    let path = format!("/proc/{}/stat", pid.as_raw_nonzero());
    let stat = std::fs::read_to_string(path).expect("the process is there");
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks: f64 = fields[11..=12].iter().filter_map(|field| field.parse::<f64>().ok()).sum();
    ticks / 100.0
}
