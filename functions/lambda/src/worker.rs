//! The workers as a function: called with messages of the queue (`ReportBatchItemFailures`), and by a schedule once a
//! minute.
//!
//! 1. A call must end before Lambda ends it: what is not done by then comes again, and what is done is reported as done.
//! 2. A call of the schedule ends as soon as nothing is left to do. Texts are found within a minute.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use lambda_runtime::{Context, LambdaEvent, service_fn};
use serde_json::Value;
use svc_app::{App, Result};
use svc_storage_aws::Call;

use crate::Failure;

/// How long before Lambda's deadline a call answers.
const SPARE: Duration = Duration::from_secs(5);

/// Works off events until Lambda ends the process.
pub(crate) async fn run(app: Arc<App>) -> std::result::Result<(), Failure> {
    let answer = |LambdaEvent { payload, context }: LambdaEvent<Value>| {
        let app = Arc::clone(&app);
        async move {
            let left = left(&context, app.now());
            answer_worker(&app, payload, left).await.map_err(Failure::from)
        }
    };
    lambda_runtime::run(service_fn(answer)).await
}

/// How long a call may work.
fn left(context: &Context, now: Timestamp) -> Duration {
    let deadline = i64::try_from(context.deadline).unwrap_or(i64::MAX);
    let left = deadline.saturating_sub(now.as_millisecond());
    Duration::from_millis(u64::try_from(left).unwrap_or(0)).saturating_sub(SPARE)
}

/// Answers one event, working for at most so long.
///
/// # Errors
/// For an event that is none of theirs, and those of storage: the event comes again.
pub async fn answer_worker(app: &App, event: Value, left: Duration) -> Result<Value> {
    let delivered = match Call::read(event, app.now())? {
        Call::Scheduled(at) => {
            svc_workers::run_minute(app, at, left).await;
            return Ok(Value::Null);
        }
        Call::Messages(delivered) => delivered,
    };
    let (mut messages, mut failed) = (Vec::new(), Vec::new());
    for one in delivered {
        let Some(delay) = one.early else {
            messages.push(one.message);
            continue;
        };
        if let Err(error) = app.queue.send(&one.message.body, delay).await {
            tracing::warn!(%error, "a message that came early was not sent on and comes again");
            failed.push(one.message.receipt);
        }
    }
    failed.extend(svc_workers::handle_received(app, messages, left).await);
    Ok(svc_storage_aws::failures(&failed))
}
