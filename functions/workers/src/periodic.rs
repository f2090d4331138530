//! What is done every minute, and every so often.

use std::time::Duration;

use svc_app::App;
use svc_app::factory::timers;
use svc_app::tracker::attachments;
use tokio::sync::watch;

/// Between ticks.
const MINUTE: Duration = Duration::from_secs(60);

/// Ticks until told to stop, at once and every minute.
pub(crate) async fn tick(app: &App, mut stopping: watch::Receiver<bool>) {
    loop {
        if let Err(error) = timers::tick(app).await {
            tracing::warn!(%error, "the tick was not finished; the next one goes on");
        }
        match attachments::sweep(app).await {
            Ok(0) => {}
            Ok(gone) => tracing::info!(gone, "uploads removed that came to nothing"),
            Err(error) => tracing::warn!(%error, "uploads were not looked at; the next tick goes on"),
        }
        if pause(MINUTE, &mut stopping).await {
            return;
        }
    }
}

/// Sweeps what has been kept long enough, at once and at the interval of the settings, until told to stop.
pub(crate) async fn sweep(app: &App, mut stopping: watch::Receiver<bool>) {
    let minutes = app.settings.retention.sweep_interval_minutes.max(1);
    loop {
        match timers::sweep(app).await {
            Ok(0) => {}
            Ok(deleted) => tracing::info!(deleted, "old batches of logs deleted"),
            Err(error) => tracing::warn!(%error, "the sweep was not finished; the next one goes on"),
        }
        if pause(MINUTE * minutes, &mut stopping).await {
            return;
        }
    }
}

/// Waits; answers whether to stop.
async fn pause(time: Duration, stopping: &mut watch::Receiver<bool>) -> bool {
    // An error means that the sender is gone, which is a reason to stop too.
    tokio::time::timeout(time, stopping.wait_for(|stop| *stop)).await.is_ok()
}
