//! `GET …/projects/{key}/wiki/pages/{path}`: a page.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::rendered::{RenderQuery, Rendered};
use svc_api::wiki::WikiPage;
use svc_app::{App, wiki};
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, Json, Path, Query};
use svc_present::Renderer;
use svc_present::wiki::view;

use crate::path::PagePath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<PagePath>,
    Query(query): Query<RenderQuery>,
) -> ApiResult<Json<Rendered<WikiPage>>> {
    let page = wiki::get(&app, caller.at(&path.slug), &path.key, &path.path).await?;
    let html = Renderer::wanted(&app, caller.at(&path.slug), query).await?.html(&page.body).await?;
    Ok(Json(Rendered { of: view::page(page), html }))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "getWikiPage",
        "Wiki",
        "View a page",
        "By its path, in upper or lower case, or by a path that it was moved from. `render=html` adds its \
         text as safe HTML. Pages of the Factory section answer 404 to everyone except factory operators.",
    )
}
