//! Sends messages that a crash left in the outbox.

use svc_app::{App, Result, outbox};

use super::Job;

pub(super) struct SendUnsent;

#[async_trait::async_trait]
impl Job for SendUnsent {
    fn name(&self) -> &'static str {
        "sends messages from the outbox"
    }

    async fn run(&self, app: &App) -> Result<()> {
        let unsent = outbox::sweep(app).await?;
        if unsent > 0 {
            tracing::info!(unsent, "messages sent that a crash had left");
        }
        Ok(())
    }
}
