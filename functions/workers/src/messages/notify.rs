//! Tells people what a commit was about.

use svc_app::messages::Notify;
use svc_app::{App, Result, notifications};

use super::{Done, Handle};

#[async_trait::async_trait]
impl Handle for Notify {
    fn subject(&self) -> String {
        let first = self.happened.first().map(|happened| happened.told.subject());
        format!("told {} {}", self.org, first.unwrap_or_default())
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        notifications::fan_out(app, self).await?;
        Ok(Done::Finished)
    }
}
