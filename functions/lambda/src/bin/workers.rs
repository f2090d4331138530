//! The workers as a Lambda function: called with messages of the queue, and by a schedule every minute.

use std::time::Duration;

use svc_lambda::Work;

/// How long a call of the schedule works: until the next one.
const MINUTE: Duration = Duration::from_mins(1);

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    svc_lambda::lambda_worker(|app, work| async move {
        match work {
            Work::Messages(messages) => Ok(svc_workers::handle_received(&app, messages).await),
            Work::Minute(at) => {
                svc_workers::run_minute(&app, at, MINUTE).await;
                Ok(Vec::new())
            }
        }
    })
    .await
}
