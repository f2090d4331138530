//! Deletes logs of runs that have been kept long enough.

use svc_app::factory::log;
use svc_app::{App, Result};

use super::Job;

pub(super) struct DeleteOldLogs;

#[async_trait::async_trait]
impl Job for DeleteOldLogs {
    fn name(&self) -> &'static str {
        "deletes old logs"
    }

    fn every_minutes(&self, app: &App) -> u32 {
        app.settings.retention.sweep_interval_minutes
    }

    async fn run(&self, app: &App) -> Result<()> {
        let deleted = log::sweep(app).await?;
        if deleted > 0 {
            tracing::info!(deleted, "old batches of logs deleted");
        }
        Ok(())
    }
}
