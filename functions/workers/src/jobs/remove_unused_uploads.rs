//! Removes uploads that were announced or begun, and never attached to anything.

use svc_app::tracker::attachments;
use svc_app::{App, Result};

use super::Job;

pub(super) struct RemoveUnusedUploads;

#[async_trait::async_trait]
impl Job for RemoveUnusedUploads {
    fn name(&self) -> &'static str {
        "removes unused uploads"
    }

    async fn run(&self, app: &App) -> Result<()> {
        let removed = attachments::sweep(app).await?;
        if removed > 0 {
            tracing::info!(removed, "unused uploads removed");
        }
        Ok(())
    }
}
