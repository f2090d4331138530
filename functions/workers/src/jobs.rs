//! Periodic jobs: a file per job.
//!
//! A job calls one use case, which looks at the rows and decides. It may run in several processes at once.

mod delete_old_logs;
mod deliver_due;
mod fail_lost_runs;
mod fire_schedules;
mod remove_unused_uploads;
mod send_unsent;
mod tell_bot_where;
mod tell_of_overdue;

use std::time::Duration;

use futures::future::join_all;
use jiff::Timestamp;
use svc_app::hearing::TICK;
use svc_app::{App, Result};
use tokio::sync::watch;

use crate::attempt::guarded;

/// The shortest time between two runs of a job.
const MINUTE: Duration = Duration::from_mins(1);

/// A job.
#[async_trait::async_trait]
pub(crate) trait Job: Send + Sync {
    /// What it does, for the log: "the job that … did not finish".
    fn name(&self) -> &'static str;

    /// Minutes from one run to the next.
    fn every_minutes(&self, _app: &App) -> u32 {
        1
    }

    /// Runs it once.
    ///
    /// # Errors
    /// Those of storage: the next run goes on.
    async fn run(&self, app: &App) -> Result<()>;
}

/// Every job.
const JOBS: &[&dyn Job] = &[
    &send_unsent::SendUnsent,
    &fail_lost_runs::FailLostRuns,
    &fire_schedules::FireSchedules,
    &deliver_due::DeliverDue,
    &remove_unused_uploads::RemoveUnusedUploads,
    &delete_old_logs::DeleteOldLogs,
    &tell_bot_where::TellBotWhere,
    &tell_of_overdue::TellOfOverdue,
];

/// Runs every job, at once and at its interval, until told to stop. None waits for another.
pub(crate) async fn run(app: &App, stopping: watch::Receiver<bool>) {
    let jobs = join_all(JOBS.iter().map(|job| repeat(app, *job, stopping.clone())));
    futures::join!(jobs, tick(app, stopping.clone()));
}

/// Notices that the clock was set or that the process stood still, which is no silence of runners.
async fn tick(app: &App, mut stopping: watch::Receiver<bool>) {
    let Some(hearing) = &app.hearing else { return };
    loop {
        hearing.tick(&*app.clock);
        if tokio::time::timeout(TICK, stopping.wait_for(|stop| *stop)).await.is_ok() {
            return;
        }
    }
}

async fn repeat(app: &App, job: &dyn Job, mut stopping: watch::Receiver<bool>) {
    let pause = MINUTE * job.every_minutes(app).max(1);
    loop {
        once(app, job).await;
        // An error means that the sender is gone, which is a reason to stop too.
        if tokio::time::timeout(pause, stopping.wait_for(|stop| *stop)).await.is_ok() {
            return;
        }
    }
}

/// Runs once every job that is due in the minute of this time: what a schedule does. None waits for another.
pub(crate) async fn run_due(app: &App, at: Timestamp) {
    let minute = at.as_second().div_euclid(60);
    let due = JOBS.iter().filter(|job| minute.rem_euclid(i64::from(job.every_minutes(app).max(1))) == 0);
    join_all(due.map(|job| once(app, *job))).await;
}

/// Runs a job, whose failure or panic keeps no other from running.
async fn once(app: &App, job: &dyn Job) {
    if let Err(why) = guarded(job.run(app)).await {
        tracing::warn!(why, "the job that {} did not finish; the next run goes on", job.name());
    }
}

/// Runs every job once, due or not, one after the other: what tests need of a worker.
///
/// # Errors
/// The first failure, after all of them have run.
pub async fn run_jobs(app: &App) -> Result<()> {
    let mut first = Ok(());
    for job in JOBS {
        let ran = job.run(app).await;
        first = first.and(ran);
    }
    first
}
