//! Replaces a label or state in the items of a project, some at a time.

use svc_app::messages::ReplaceInItems;
use svc_app::tracker::replacements;
use svc_app::{App, Result};

use super::{Done, Handle};

#[async_trait::async_trait]
impl Handle for ReplaceInItems {
    fn subject(&self) -> String {
        format!("project {} {}", self.org, self.project)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        let again = replacements::resume(app, self.org, &self.project, self.id).await?;
        Ok(again.map_or(Done::Finished, Done::Again))
    }
}
