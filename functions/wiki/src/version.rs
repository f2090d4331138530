//! `GET …/projects/{key}/wiki/version/{number}/{path}`: one version of a page.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::wiki::PageVersion;
use svc_app::{App, wiki};
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, Json, Path};

use crate::path::VersionPath;
use crate::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(at): Path<VersionPath>,
) -> ApiResult<Json<PageVersion>> {
    let text = wiki::version(&app, caller.presented(), &at.slug, &at.key, &at.path, at.number).await?;
    Ok(Json(view::version(text)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "getWikiPageVersion",
        "Wiki",
        "View a version of a page",
        "Every version is kept. Who reads the page now reads all of them.",
    )
}
