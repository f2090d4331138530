//! Looks whether the runner of a run is still there, and looks again for as long as the run lives.

use svc_app::factory::progress;
use svc_app::messages::WatchRun;
use svc_app::{App, Result};

use super::{Done, Handle};

#[async_trait::async_trait]
impl Handle for WatchRun {
    fn subject(&self) -> String {
        format!("run {}", self.run)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        let again = progress::watch(app, self.org, self.run).await?;
        Ok(Done::again_after(again))
    }
}
