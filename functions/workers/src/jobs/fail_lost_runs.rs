//! Fails runs whose runner was not heard of for too long, also where the message that watches the run was lost.

use svc_app::factory::progress;
use svc_app::{App, Result};

use super::Job;

pub(super) struct FailLostRuns;

#[async_trait::async_trait]
impl Job for FailLostRuns {
    fn name(&self) -> &'static str {
        "fails runs whose runner is lost"
    }

    async fn run(&self, app: &App) -> Result<()> {
        progress::watch_silent(app).await
    }
}
