//! The workers where no process of theirs stays: each call brings messages, or says that a minute has begun.

use std::time::Duration;

use jiff::Timestamp;
use svc_app::App;

use crate::{jobs, texts};

/// What a schedule calls every minute: runs the jobs that are due in the minute of `at`, and indexes the texts that wait,
/// for at most as long as there is. A job that fails, or is cut off, runs again when it is due next.
pub async fn run_minute(app: &App, at: Timestamp, left: Duration) {
    let work = async { tokio::join!(jobs::run_due(app, at), texts::run_once(app)) };
    if tokio::time::timeout(left, work).await.is_err() {
        tracing::warn!("a minute's work was cut off; the next call goes on");
    }
}
