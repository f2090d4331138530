//! Takes away what is left of a deleted organization, some of it at a time.

use std::time::Duration;

use svc_app::messages::PurgeOrg;
use svc_app::{App, Result, identity};

use super::{Done, Handle};

#[async_trait::async_trait]
impl Handle for PurgeOrg {
    fn subject(&self) -> String {
        format!("organization {}", self.org)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        match identity::purge_org(app, self).await? {
            true => Ok(Done::Finished),
            false => Ok(Done::Again(Duration::ZERO)),
        }
    }
}
