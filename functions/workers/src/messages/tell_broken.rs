//! Tells whose channel it is that it is broken.

use svc_app::messages::TellBroken;
use svc_app::{App, Result, notifications};

use super::{Done, Handle};
use crate::shares::Share;

#[async_trait::async_trait]
impl Handle for TellBroken {
    fn subject(&self) -> String {
        format!("broken {}", self.destination)
    }

    fn shares(&self) -> Vec<Share> {
        Share::mail()
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        notifications::tell_broken(app, self).await?;
        Ok(Done::Finished)
    }
}
