//! Fires the rules of an item that entered a state.

use svc_app::factory::rules;
use svc_app::messages::FireRules;
use svc_app::{App, Result};

use super::{Done, Handle};

#[async_trait::async_trait]
impl Handle for FireRules {
    fn subject(&self) -> String {
        format!("item {} {}", self.org, self.item)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        rules::fire(app, self).await?;
        Ok(Done::Finished)
    }
}
