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

#[cfg(test)]
mod tests {
    use svc_app::Settings;
    use svc_testkit::TestApp;

    use super::{DeleteOldLogs, Job};

    /// `Retention:SweepIntervalMinutes`, specification section 8.
    #[tokio::test]
    async fn logs_are_swept_at_the_interval_of_the_settings() {
        assert_eq!(DeleteOldLogs.every_minutes(&TestApp::new().app), 60);
        let mut settings = Settings::default();
        settings.retention.sweep_interval_minutes = 7;
        assert_eq!(DeleteOldLogs.every_minutes(&TestApp::with(settings).app), 7);
    }
}
