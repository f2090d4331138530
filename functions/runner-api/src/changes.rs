//! `POST /runner/runs/{id}/changes`: what a run changed.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::runner::ReportChanges;
use svc_app::App;
use svc_app::factory::changes;
use svc_http::doc::{operation, refuses};
use svc_http::paths::RunPath;
use svc_http::problems::{ASSIGNMENT_ENDED, RUN_STATE};
use svc_http::{ApiResult, Body, Caller, NoContent, Path};
use svc_present::runner::read;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<RunPath>,
    Body(report): Body<ReportChanges>,
) -> ApiResult<NoContent> {
    let changed = read::changes(report.changes);
    changes::report(&app, caller.credential(), path.id, report.fence, changed).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ASSIGNMENT_ENDED, RUN_STATE]);
    operation(
        op,
        "reportRunChanges",
        "Runner",
        "Report what a run changed",
        "Commits, changed files and the patch; send them before the finish. Repeating it is harmless; the last \
        report counts.",
    )
}
