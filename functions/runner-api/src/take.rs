//! `POST /runner/take`: a runner asks for a run.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::runner::{Assignment, Take};
use svc_app::App;
use svc_app::factory;
use svc_http::doc::{operation, refuses};
use svc_http::problems::DELETED;
use svc_http::{ApiResult, Body, Caller, Held, JsonOrNothing, Reply, kept_by_nobody};
use svc_present::runner::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    _held: Held,
    Body(take): Body<Take>,
) -> ApiResult<Reply<JsonOrNothing<Assignment>>> {
    let request = read::take(take);
    let taken = factory::take(&app, caller.credential(), &request).await?;
    Ok(Reply { body: JsonOrNothing(taken.map(view::assignment)), headers: vec![kept_by_nobody()] })
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        refuses(op, &[DELETED]),
        "takeRun",
        "Runner",
        "Take a run",
        "Waits for a run; 204 if there is none. Each run goes to one runner. Repeating a request with its \
         `requestId` answers the same assignment, token included. 410 while the organization is deleted.",
    )
}
