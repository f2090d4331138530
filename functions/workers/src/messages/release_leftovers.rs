//! Releases what the agent of a run that is over still has claimed.

use svc_app::factory::leftovers;
use svc_app::messages::ReleaseLeftovers;
use svc_app::{App, Result};

use super::{Done, Handle};

#[async_trait::async_trait]
impl Handle for ReleaseLeftovers {
    fn subject(&self) -> String {
        format!("run {}", self.run)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        leftovers::release(app, self.org, self.run).await?;
        Ok(Done::Finished)
    }
}
