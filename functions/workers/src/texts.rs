//! The indexer of texts: works when this process changed one, and looks for those of others every so often.

use std::time::Duration;

use svc_app::{App, search};
use tokio::sync::watch;

use crate::attempt::guarded;

/// How often to look for what other processes changed: a text is to be found within two seconds.
const POLL: Duration = Duration::from_secs(1);

/// Indexes texts until told to stop.
pub(crate) async fn run(app: &App, mut stopping: watch::Receiver<bool>) {
    while !*stopping.borrow() {
        run_once(app).await;
        tokio::select! {
            () = app.notifier.wait_for_texts() => {}
            () = tokio::time::sleep(POLL) => {}
            _ = stopping.wait_for(|stop| *stop) => return,
        }
    }
}

/// Indexes the texts that wait now.
pub(crate) async fn run_once(app: &App) {
    if let Err(why) = guarded(search::index_waiting(app)).await {
        tracing::warn!(why, "texts wait on to be indexed");
    }
}
