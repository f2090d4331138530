//! `POST …/projects/{key}/wiki/deleted/{id}/restore`: brings a deleted page back.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::wiki::WikiPage;
use svc_app::{App, wiki};
use svc_http::doc::{operation, refuses};
use svc_http::problems::ALREADY_EXISTS;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::wiki::view;

use crate::path::DeletedPath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(at): Path<DeletedPath>,
) -> ApiResult<Json<WikiPage>> {
    let page = wiki::undelete(&app, caller.at(&at.slug), &at.key, at.id).await?;
    Ok(Json(view::page(page)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS]);
    operation(
        op,
        "restoreDeletedWikiPage",
        "Wiki",
        "Restore a deleted page",
        "Restores the page at its old path, with all its versions. If another page has taken its path, rename that \
        one first. For people who may edit pages at the path.",
    )
}
