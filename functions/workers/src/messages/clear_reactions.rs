//! Clears what is left of a deleted comment: its reactions and its files.

use svc_app::messages::ClearReactions;
use svc_app::tracker::{attachments, comments};
use svc_app::{App, Result};

use super::{Done, Handle};

#[async_trait::async_trait]
impl Handle for ClearReactions {
    fn subject(&self) -> String {
        format!("item {} {}", self.org, self.item)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        comments::clear_reactions(app, self.org, &self.item, self.comment).await?;
        attachments::clear(app, self.org, &self.item, self.comment).await?;
        Ok(Done::Finished)
    }
}
