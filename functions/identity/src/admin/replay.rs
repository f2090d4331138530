//! `POST /admin/dead-letters/replay`: background messages are sent again.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::administration::Replayed;
use svc_app::{App, administration};
use svc_http::{ApiResult, Caller, Json};

use super::{administers, by};

pub(crate) async fn handler(State(app): State<Arc<App>>, caller: Caller) -> ApiResult<Json<Replayed>> {
    let messages = administration::replay(&app, by(&caller)).await? as u64;
    Ok(Json(Replayed { messages }))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Sends every background message again that workers gave up on. Fix the cause first.";
    administers(op, "replayDeadLetters", "Send failed messages again", description)
}
