//! Takes away what is left of a deleted item.

use svc_app::messages::PurgeItem;
use svc_app::tracker::deletion;
use svc_app::{App, Result};

use super::{Done, Handle};

#[async_trait::async_trait]
impl Handle for PurgeItem {
    fn subject(&self) -> String {
        format!("item {} {}", self.org, self.item)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        deletion::purge(app, self).await?;
        Ok(Done::Finished)
    }
}
