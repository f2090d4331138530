//! Brings what hangs on an item, and what belongs to it, to the key that it has in another project.

use std::time::Duration;

use svc_app::messages::FinishTransfer;
use svc_app::tracker::transfer::{self, Left};
use svc_app::{App, Result};

use super::{Done, Handle};

/// When it is looked again whether what belongs to the item is free to follow.
const UNTIL_FREE: Duration = Duration::from_secs(60);

#[async_trait::async_trait]
impl Handle for FinishTransfer {
    fn subject(&self) -> String {
        format!("item {} {}", self.org, self.from)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        let left = transfer::finish(app, self.org, vec![self.from.clone()], None).await?;
        Ok(if left == Left::Waiting { Done::Again(UNTIL_FREE) } else { Done::Finished })
    }
}
