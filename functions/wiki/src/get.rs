//! `GET …/projects/{key}/wiki/pages/{path}`: a page.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::wiki::WikiPage;
use svc_app::{App, wiki};
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, Json, Path};

use crate::path::PagePath;
use crate::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<PagePath>,
) -> ApiResult<Json<WikiPage>> {
    let page = wiki::get(&app, caller.presented(), &path.slug, &path.key, &path.path).await?;
    Ok(Json(view::page(page)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "getWikiPage",
        "Wiki",
        "View a page",
        "By its path, whatever its case. A page of the Factory section answers as one that does not exist to \
         who is no factory operator.",
    )
}
