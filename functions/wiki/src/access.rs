//! `GET …/projects/{key}/wiki/access/{path}`: who may read and edit a page.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::wiki::PageAccess;
use svc_app::{App, wiki};
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::wiki::view;

use crate::path::PagePath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(at): Path<PagePath>,
) -> ApiResult<Json<PageAccess>> {
    let access = wiki::access(&app, caller.at(&at.slug), &at.key, &at.path).await?;
    Ok(Json(view::access(access)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "getWikiPageAccess",
        "Wiki",
        "View a page's access rules",
        "The rules of this page itself. Each page can only narrow what the pages above it allow. Without any \
         rule everyone in the project may read, and everyone except Guests may edit.",
    )
}
