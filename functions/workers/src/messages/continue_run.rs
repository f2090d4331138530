//! Continues a failed run by itself.

use svc_app::factory::follow;
use svc_app::messages::ContinueRun;
use svc_app::{App, Result};

use super::{Done, Handle};

#[async_trait::async_trait]
impl Handle for ContinueRun {
    fn subject(&self) -> String {
        format!("run {}", self.run)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        let again = follow::continue_automatically(app, self.org, self.run).await?;
        Ok(Done::again_after(again))
    }
}
