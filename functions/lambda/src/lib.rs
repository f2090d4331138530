//! Programs as Lambda functions: configuration from the environment, storage on AWS.

use std::sync::Arc;

use axum::Router;
use axum::handler::Handler;
use jiff::Timestamp;
use lambda_runtime::{LambdaEvent, service_fn};
use serde_json::Value;
use svc_app::{App, Result};
use svc_boot::{Config, LogFormat, Store, init_telemetry, open};
use svc_http::ApiRouter;
use svc_storage::Message;
use svc_storage_aws::Call;

/// What keeps a function from starting.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Runs one API area as a Lambda function.
///
/// # Errors
/// What keeps it from starting, and what the Lambda runtime says.
pub async fn lambda(area: ApiRouter) -> Result<(), Failure> {
    let app = on_aws().await?;
    let (router, _) = svc_http::api([area]);
    lambda_http::run(svc_http::finish(router, app)).await
}

/// Runs pages as a Lambda function: routes, and what answers where there is none.
///
/// # Errors
/// As [`lambda`].
pub async fn lambda_pages<H, T>(routes: Router<Arc<App>>, otherwise: H) -> Result<(), Failure>
where
    H: Handler<T, Arc<App>>,
    T: 'static,
{
    let app = on_aws().await?;
    lambda_http::run(svc_http::finish_with(routes, otherwise, app)).await
}

/// What a function of the workers is called to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Work {
    /// Handle these messages; answer the receipts of those that must come again.
    Messages(Vec<Message>),
    /// Do what is to be done in the minute of this time.
    Minute(Timestamp),
}

/// Runs workers as a Lambda function. Its event sources are the queue (with `ReportBatchItemFailures`) and a schedule of
/// once a minute.
///
/// # Errors
/// As [`lambda`].
pub async fn lambda_worker<F>(work: impl Fn(Arc<App>, Work) -> F) -> Result<(), Failure>
where
    F: Future<Output = Result<Vec<String>>>,
{
    let (app, work) = (on_aws().await?, &work);
    let answer = |event: LambdaEvent<Value>| {
        let answered = answer_worker(Arc::clone(&app), event.payload, work);
        async { answered.await.map_err(Failure::from) }
    };
    lambda_runtime::run(service_fn(answer)).await
}

/// Answers one event for the workers.
///
/// # Errors
/// For an event that is none of theirs, and those of `work`: the event comes again.
pub async fn answer_worker<F>(
    app: Arc<App>,
    event: Value,
    work: impl Fn(Arc<App>, Work) -> F,
) -> Result<Value>
where
    F: Future<Output = Result<Vec<String>>>,
{
    let delivered = match Call::read(event, app.now())? {
        Call::Scheduled(at) => return work(app, Work::Minute(at)).await.map(|_| Value::Null),
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
    failed.extend(work(app, Work::Messages(messages)).await?);
    Ok(svc_storage_aws::failures(failed))
}

async fn on_aws() -> Result<Arc<App>, Failure> {
    let mut config = Config::load(None)?;
    config.storage.engine = Store::Aws;
    config.logging.format = LogFormat::Json;
    init_telemetry(&config.logging);
    Ok(open(&config).await?.app)
}
