//! `GET …/projects/{key}/wiki/deleted`: the deleted pages.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::wiki::DeletedPage;
use svc_app::{App, wiki};
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::wiki::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(at): Path<ProjectPath>,
) -> ApiResult<Json<Vec<DeletedPage>>> {
    let pages = wiki::deleted(&app, caller.at(&at.slug), &at.key).await?;
    Ok(Json(pages.into_iter().map(view::deleted).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "listDeletedWikiPages",
        "Wiki",
        "List deleted pages",
        "The pages that the caller could read before they were deleted, last deleted first.",
    )
}
