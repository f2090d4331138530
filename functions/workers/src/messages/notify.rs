//! Tells people what a commit was about.

use svc_app::messages::Notify;
use svc_app::{App, Result, notifications, webhooks};

use super::{Done, Handle};

#[async_trait::async_trait]
impl Handle for Notify {
    fn subject(&self) -> String {
        let first = self.happened.first().map(|happened| happened.told.subject());
        let about = first.or_else(|| self.webhooks.first()?.item.as_ref().map(ToString::to_string));
        format!("told {} {}", self.org, about.unwrap_or_default())
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        notifications::fan_out(app, self).await?;
        webhooks::fan_out(app, self.org, self.id, &self.webhooks).await?;
        Ok(Done::Finished)
    }
}
