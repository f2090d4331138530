//! `GET …/projects/{key}/wiki/diff/{path}`: what is different between two versions.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::wiki::{DiffQuery, PageDiff};
use svc_app::{App, wiki};
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, Json, Path, Query};
use svc_present::wiki::view;

use crate::path::PagePath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(at): Path<PagePath>,
    Query(DiffQuery { from, to }): Query<DiffQuery>,
) -> ApiResult<Json<PageDiff>> {
    let (old, new) = wiki::compare(&app, caller.at(&at.slug), &at.key, &at.path, from, to).await?;
    Ok(Json(view::diff(old, new).await?))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "diffWikiPage",
        "Wiki",
        "Compare two versions of a page",
        "Line by line, as hunks and as a unified diff. Without versions, shows the last change. If the texts differ \
        a lot, whole passages are shown as replaced.",
    )
}
