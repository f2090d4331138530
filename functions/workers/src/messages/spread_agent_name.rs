//! Brings the name of an agent up to date in the items that name it.

use std::time::Duration;

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
        let left = identity::spread_agent(app, self.org, self.agent).await?;
        Ok(if left { Done::Again(Duration::ZERO) } else { Done::Finished })
    }
}
