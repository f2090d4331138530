//! `POST /runner/runs/{id}/log`: a runner delivers log entries.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::LogStream;
use svc_api::runner::{AppendLog, AppendLogReply, NewLogEntry};
use svc_app::App;
use svc_app::factory::log::{self, Line, Stream};
use svc_http::doc::{operation, refuses};
use svc_http::paths::RunPath;
use svc_http::problems::{ASSIGNMENT_ENDED, LOG_GAP};
use svc_http::{ApiResult, Body, Caller, Json, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<RunPath>,
    Body(batch): Body<AppendLog>,
) -> ApiResult<Json<AppendLogReply>> {
    let lines: Vec<Line> = batch.entries.into_iter().map(line).collect();
    let (fence, first) = (batch.fence, batch.first_seq);
    let appended = log::append(&app, caller.credential(), path.id, fence, first, &lines).await?;
    Ok(Json(AppendLogReply {
        next_seq: appended.next_seq,
        truncated: appended.truncated,
        cancel: appended.cancel,
    }))
}

fn line(entry: NewLogEntry) -> Line {
    let stream = match entry.stream {
        LogStream::Stdout => Stream::Stdout,
        LogStream::Stderr => Stream::Stderr,
        // A stream that only a later program knows is at least something said about the run.
        LogStream::Event | LogStream::Unknown => Stream::Event,
    };
    Line { at: entry.at, stream, text: entry.text }
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ASSIGNMENT_ENDED, LOG_GAP]);
    operation(
        op,
        "appendRunLog",
        "Runner",
        "Append to the log of a run",
        "Repeating a batch is harmless; one that leaves a gap is answered 409 `log-gap`. Past the cap the log is \
         truncated, and the run goes on.",
    )
}
