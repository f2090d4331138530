//! Takes away what is left of a deleted project, some items at a time.

use std::time::Duration;

use svc_app::messages::PurgeProject;
use svc_app::tracker::project_purge;
use svc_app::{App, Result};

use super::{Done, Handle};

#[async_trait::async_trait]
impl Handle for PurgeProject {
    fn subject(&self) -> String {
        format!("project {} {}", self.org, self.project)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        match project_purge::purge(app, self).await? {
            true => Ok(Done::Finished),
            false => Ok(Done::Again(Duration::ZERO)),
        }
    }
}
