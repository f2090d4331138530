//! `POST /runner/runs/{id}/log`: a runner delivers log entries.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::runner::{AppendLog, AppendLogReply};
use svc_app::App;
use svc_app::factory::log::{self, Batch, Line};
use svc_http::doc::{operation, refuses};
use svc_http::paths::RunPath;
use svc_http::problems::{ASSIGNMENT_ENDED, LOG_GAP};
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::runner::read;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<RunPath>,
    Body(batch): Body<AppendLog>,
) -> ApiResult<Json<AppendLogReply>> {
    let lines: Vec<Line> = batch.entries.into_iter().map(read::line).collect();
    let sent = Batch { first_seq: batch.first_seq, lines: &lines, tail: batch.tail };
    let appended = log::append(&app, caller.credential(), path.id, batch.fence, sent).await?;
    Ok(Json(AppendLogReply {
        next_seq: appended.next_seq,
        truncated: appended.truncated,
        cancel: appended.cancel,
    }))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ASSIGNMENT_ENDED, LOG_GAP]);
    operation(
        op,
        "appendRunLog",
        "Runner",
        "Append to the log of a run",
        "Repeating a batch is harmless; one that leaves a gap is answered 409 `log-gap`. Past the cap the log is \
         truncated, and the run goes on. Of a truncated log the last 256 KiB are kept: send them with `tail` when the \
         run ends; the first of these batches may leave a gap.",
    )
}
