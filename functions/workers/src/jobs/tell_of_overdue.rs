//! Tells people of what does not happen in the factory though it should.

use svc_app::{App, Result, factory};

use super::Job;

pub(super) struct TellOfOverdue;

#[async_trait::async_trait]
impl Job for TellOfOverdue {
    fn name(&self) -> &'static str {
        "tells of runs that wait, runners that are away and budgets that are nearly used"
    }

    fn every_minutes(&self, _app: &App) -> u32 {
        5
    }

    async fn run(&self, app: &App) -> Result<()> {
        factory::tell_of_overdue(app).await
    }
}
