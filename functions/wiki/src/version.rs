//! `GET …/projects/{key}/wiki/version/{number}/{path}`: one version of a page.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::rendered::{RenderQuery, Rendered};
use svc_api::wiki::PageVersion;
use svc_app::{App, wiki};
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, Json, Path, Query};
use svc_present::Renderer;
use svc_present::wiki::view;

use crate::path::VersionPath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(at): Path<VersionPath>,
    Query(query): Query<RenderQuery>,
) -> ApiResult<Json<Rendered<PageVersion>>> {
    let text = wiki::version(&app, caller.at(&at.slug), &at.key, &at.path, at.number).await?;
    let html = Renderer::wanted(&app, caller.at(&at.slug), query).await?.html(&text.body).await?;
    Ok(Json(Rendered { of: view::version(text), html }))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "getWikiPageVersion",
        "Wiki",
        "View a version of a page",
        "Every version is kept, and everyone who may read the page may read all of them.",
    )
}
