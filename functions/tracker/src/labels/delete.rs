//! `DELETE …/projects/{key}/labels/{name}`: deletes a label.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::App;
use svc_app::tracker::labels;
use svc_http::doc::operation;
use svc_http::paths::LabelPath;
use svc_http::{ApiResult, Caller, NoContent, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<LabelPath>,
) -> ApiResult<NoContent> {
    labels::delete(&app, caller.at(&path.slug), &path.key, &path.name).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "deleteLabel",
        "Projects",
        "Delete a label",
        "For Admins of the project. The label is removed from every item that carries it.",
    )
}
