//! `GET …/projects/{key}/wiki/versions/{path}`: the versions of a page.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::wiki::{PageVersion, VersionsQuery};
use svc_app::{App, wiki};
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, Json, Path, Query};
use svc_present::wiki::view;

use crate::path::PagePath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(at): Path<PagePath>,
    Query(VersionsQuery { before }): Query<VersionsQuery>,
) -> ApiResult<Json<Vec<PageVersion>>> {
    let texts = wiki::versions(&app, caller.at(&at.slug), &at.key, &at.path, before).await?;
    Ok(Json(texts.into_iter().map(view::version).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "listWikiPageVersions",
        "Wiki",
        "List the versions of a page",
        "Newest first, with their texts: at most 100, and fewer when the texts exceed about 1 MB. Use \
         `before` for older ones.",
    )
}
