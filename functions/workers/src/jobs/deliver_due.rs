//! Has digests sent, and what was left behind or waits for another attempt.

use svc_app::{App, Result, notifications};

use super::Job;

pub(super) struct DeliverDue;

#[async_trait::async_trait]
impl Job for DeliverDue {
    fn name(&self) -> &'static str {
        "has what people are to be told sent"
    }

    async fn run(&self, app: &App) -> Result<()> {
        notifications::deliver_due(app).await
    }
}
