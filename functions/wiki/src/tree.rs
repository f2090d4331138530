//! `GET …/projects/{key}/wiki`: the pages of a wiki.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::wiki::WikiEntry;
use svc_app::{App, wiki};
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::wiki::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
) -> ApiResult<Json<Vec<WikiEntry>>> {
    let pages = wiki::tree(&app, caller.at(&path.slug), &path.key).await?;
    Ok(Json(pages.into_iter().map(view::entry).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "listWikiPages",
        "Wiki",
        "List the pages of a wiki",
        "Parents before children, siblings by position and then by name, without their texts; only pages that the \
         caller may read. The Factory section is shown only to factory operators.",
    )
}
