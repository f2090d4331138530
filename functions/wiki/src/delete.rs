//! `DELETE …/projects/{key}/wiki/pages/{path}`: deletes a page.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::{App, wiki};
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, NoContent, Path};

use crate::path::PagePath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(at): Path<PagePath>,
) -> ApiResult<NoContent> {
    wiki::delete(&app, caller.at(&at.slug), &at.key, &at.path).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "deleteWikiPage",
        "Wiki",
        "Delete a page",
        "The page keeps its versions and can be restored. A page that has children or holds a playbook's \
        instructions cannot be deleted. For people who may edit the page.",
    )
}
