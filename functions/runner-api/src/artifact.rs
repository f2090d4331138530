//! `PUT /runner/runs/{id}/artifacts/{file}`: a file that the agent of a run left for people.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::runner::Fenced;
use svc_app::App;
use svc_app::factory::artifacts;
use svc_http::content::Upload;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ArtifactPath;
use svc_http::problems::{ASSIGNMENT_ENDED, RUN_STATE};
use svc_http::{ApiResult, Caller, NoContent, Path, Query};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ArtifactPath>,
    Query(fenced): Query<Fenced>,
    upload: Upload,
) -> ApiResult<NoContent> {
    artifacts::keep(&app, caller.credential(), path.id, fenced.fence, &path.file, upload.bytes).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ASSIGNMENT_ENDED, RUN_STATE]);
    operation(
        op,
        "sendRunArtifact",
        "Runner",
        "Upload an artifact of a run",
        "At most 25 files of a run, 25 MiB together, sent before the finish. The name has no path and nothing \
         invisible. Repeating it is harmless.",
    )
}
