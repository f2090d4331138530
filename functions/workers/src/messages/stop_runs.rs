//! Stops the runs of a deleted project.

use svc_app::factory::stopping;
use svc_app::messages::StopRuns;
use svc_app::{App, Result};

use super::{Done, Handle};

#[async_trait::async_trait]
impl Handle for StopRuns {
    fn subject(&self) -> String {
        format!("project {} {}", self.org, self.project)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        stopping::stop_runs(app, self).await?;
        Ok(Done::Finished)
    }
}
