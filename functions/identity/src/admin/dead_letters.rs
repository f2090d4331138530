//! `GET /admin/dead-letters`: background messages that failed for good.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::administration::DeadLetter;
use svc_app::{App, administration};
use svc_http::{ApiResult, Caller, Json};
use svc_present::administration as view;

use super::{administers, by};

pub(crate) async fn handler(State(app): State<Arc<App>>, caller: Caller) -> ApiResult<Json<Vec<DeadLetter>>> {
    let letters = administration::dead_letters(&app, by(&caller)).await?;
    Ok(Json(letters.into_iter().map(view::dead_letter).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description =
        "Background messages that workers gave up on, oldest first, with the error of the last attempt.";
    administers(op, "listDeadLetters", "List messages that failed for good", description)
}
