//! The workers where no process of theirs stays: each call brings messages, or says that a minute has begun.

use std::time::Duration;

use jiff::Timestamp;
use svc_app::App;
use tokio::sync::watch;

use crate::{jobs, texts};

/// What a schedule calls every minute: runs the jobs that are due in the minute of `at`, and indexes texts for `lasting`,
/// so that what people write is found at once and not only when the next minute begins. A job that fails is logged, and
/// runs again when it is due next.
pub async fn run_minute(app: &App, at: Timestamp, lasting: Duration) {
    let (stop, stopping) = watch::channel(false);
    let end = async {
        tokio::time::sleep(lasting).await;
        stop.send_replace(true);
    };
    tokio::join!(jobs::run_due(app, at), end, texts::run(app, stopping));
}
