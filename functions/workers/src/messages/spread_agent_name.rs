//! Brings the name of an agent up to date in the items that name it.

use svc_app::identity;
use svc_app::messages::SpreadAgentName;
use svc_app::{App, Result};

use super::{Done, Handle};

#[async_trait::async_trait]
impl Handle for SpreadAgentName {
    fn subject(&self) -> String {
        format!("agent {}", self.agent)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        identity::spread_agent(app, self.org, self.agent).await?;
        Ok(Done::Finished)
    }
}
