//! `POST …/projects/{key}/wiki/move/{path}`: moves a page with all that is below it.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::wiki::{MovePage, WikiPage};
use svc_app::{App, wiki};
use svc_http::doc::{operation, refuses};
use svc_http::problems::ALREADY_EXISTS;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::wiki::view;

use crate::path::PagePath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(at): Path<PagePath>,
    Body(MovePage { version, to, position }): Body<MovePage>,
) -> ApiResult<Json<WikiPage>> {
    let wanted = wiki::MovePage { version, to, position };
    let page = wiki::move_page(&app, caller.at(&at.slug), &at.key, &at.path, &wanted).await?;
    Ok(Json(view::page(page)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS]);
    operation(
        op,
        "moveWikiPage",
        "Wiki",
        "Move or rename a page",
        "Moves the page and everything below it to a free path, or only among its siblings. Readers never see a \
        half-finished move, however many pages it has. Pages keep their access rules and versions; the moved \
         page gets one more version that says where it was. Old addresses keep leading to the page. A page \
         that holds a playbook's instructions cannot be moved. For people who may edit the page and write at \
         the new path.",
    )
}
