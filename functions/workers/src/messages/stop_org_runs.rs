//! Stops the runs of a deleted organization.

use svc_app::factory::stopping;
use svc_app::messages::StopOrgRuns;
use svc_app::{App, Result};

use super::{Done, Handle};

#[async_trait::async_trait]
impl Handle for StopOrgRuns {
    fn subject(&self) -> String {
        format!("organization {}", self.org)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        stopping::stop_org_runs(app, self).await?;
        Ok(Done::Finished)
    }
}
