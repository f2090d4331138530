//! Clears what is left of a deleted comment: its reactions, its files and what its edits changed.

use svc_app::messages::ClearReactions;
use svc_app::tracker::{attachments, comments, transfer};
use svc_app::{App, Result};

use super::{Done, Handle};

#[async_trait::async_trait]
impl Handle for ClearReactions {
    fn subject(&self) -> String {
        format!("item {} {}", self.org, self.item)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        let moved = transfer::settled(app, self.org, &self.item).await?;
        let item = moved.as_ref().unwrap_or(&self.item);
        comments::clear(app, self.org, item, self.comment).await?;
        attachments::clear(app, self.org, item, self.comment).await?;
        Ok(Done::Finished)
    }
}
