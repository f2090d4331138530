//! Moves the subtasks that an item left behind.

use svc_app::messages::FollowItem;
use svc_app::tracker::moves;
use svc_app::{App, Result};

use super::{Done, Handle};

#[async_trait::async_trait]
impl Handle for FollowItem {
    fn subject(&self) -> String {
        format!("item {} {}", self.org, self.item)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        moves::follow(app, self).await?;
        Ok(Done::Finished)
    }
}
