//! Brings the copies of an account's name and address up to date.

use std::time::Duration;

use svc_app::identity;
use svc_app::messages::SpreadProfile;
use svc_app::{App, Result};

use super::{Done, Handle};

#[async_trait::async_trait]
impl Handle for SpreadProfile {
    fn subject(&self) -> String {
        format!("account {}", self.user)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        let left = identity::spread(app, self.user).await?;
        Ok(if left { Done::Again(Duration::ZERO) } else { Done::Finished })
    }
}
