//! Packs a project's feed for processes that start cold.

use svc_app::messages::PackFeed;
use svc_app::tracker::feed_snapshots;
use svc_app::{App, Result};

use super::{Done, Handle};

#[async_trait::async_trait]
impl Handle for PackFeed {
    fn subject(&self) -> String {
        format!("feed {} {}", self.org, self.project)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        feed_snapshots::write(app, self.org, &self.project).await?;
        Ok(Done::Finished)
    }
}
