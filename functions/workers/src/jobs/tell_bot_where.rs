//! Tells the bot where to deliver what chats say.

use svc_app::{App, Result, notifications};

use super::Job;

pub(super) struct TellBotWhere;

#[async_trait::async_trait]
impl Job for TellBotWhere {
    fn name(&self) -> &'static str {
        "tells the bot where to deliver"
    }

    fn every_minutes(&self, _: &App) -> u32 {
        60
    }

    async fn run(&self, app: &App) -> Result<()> {
        notifications::tell_bot_where(app).await
    }
}
