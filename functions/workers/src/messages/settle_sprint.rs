//! Moves items out of a sprint that is over.

use svc_app::messages::SettleSprint;
use svc_app::tracker::sprints;
use svc_app::{App, Result};

use super::{Done, Handle};

#[async_trait::async_trait]
impl Handle for SettleSprint {
    fn subject(&self) -> String {
        format!("sprint {} {}", self.org, self.sprint)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        sprints::settle(app, self).await?;
        Ok(Done::Finished)
    }
}
