//! Brings what hangs on an item to the key that it has in another project.

use svc_app::messages::FinishTransfer;
use svc_app::tracker::transfer;
use svc_app::{App, Result};

use super::{Done, Handle};

#[async_trait::async_trait]
impl Handle for FinishTransfer {
    fn subject(&self) -> String {
        format!("item {} {}", self.org, self.from)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        transfer::finish(app, self.org, &self.from, None).await?;
        Ok(Done::Finished)
    }
}
