//! `DELETE …/projects/{key}/views/{id}`: deletes a saved view.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::App;
use svc_app::tracker::views::{self, ViewsOf};
use svc_domain::ids::ViewId;
use svc_http::doc::operation;
use svc_http::paths::ProjectIdPath;
use svc_http::{ApiResult, Caller, NoContent, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectIdPath<ViewId>>,
) -> ApiResult<NoContent> {
    views::delete(&app, caller.at(&path.slug), ViewsOf::Project(&path.key), path.id).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "deleteView",
        "Projects",
        "Delete a saved view",
        "For the person who made it; Admins of the project can delete shared views too.",
    )
}
