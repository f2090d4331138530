//! Sends what is due at a destination.

use svc_app::messages::Deliver;
use svc_app::{App, Result, notifications};

use super::{Done, Handle};
use crate::shares::Share;

#[async_trait::async_trait]
impl Handle for Deliver {
    fn subject(&self) -> String {
        format!("destination {}", self.destination)
    }

    fn shares(&self) -> Vec<Share> {
        Share::destination(self.destination)
    }

    async fn handle(&self, app: &App) -> Result<Done> {
        let again = notifications::deliver(app, self.destination).await?;
        // What takes longer is left to the tick.
        Ok(Done::again_after(again.filter(|again| *again <= jiff::SignedDuration::from_mins(2))))
    }
}
