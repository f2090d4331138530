//! Moves the rest of the pages below one that was moved.

use svc_app::messages::FinishPageMove;
use svc_app::wiki;
use svc_app::{App, Result};

use super::{Done, Handle};

#[async_trait::async_trait]
impl Handle for FinishPageMove {
    fn subject(&self) -> String {
        format!("wiki {} {}", self.org, self.project)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        wiki::finish(app, self.org, &self.project).await?;
        Ok(Done::Finished)
    }
}
