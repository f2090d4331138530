//! Fires the schedules whose time has come.

use svc_app::factory::schedules;
use svc_app::{App, Result};

use super::Job;

pub(super) struct FireSchedules;

#[async_trait::async_trait]
impl Job for FireSchedules {
    fn name(&self) -> &'static str {
        "fires schedules that are due"
    }

    async fn run(&self, app: &App) -> Result<()> {
        schedules::fire_due(app).await
    }
}
