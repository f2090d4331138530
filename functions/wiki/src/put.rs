//! `PUT …/projects/{key}/wiki/pages/{path}`: creates a page or writes its next version.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::wiki::{PutPage, WikiPage};
use svc_app::{App, wiki};
use svc_http::doc::operation;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::wiki::view;

use crate::path::PagePath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<PagePath>,
    Body(put): Body<PutPage>,
) -> ApiResult<Json<WikiPage>> {
    let put = wiki::PutPage { version: put.version, body: put.body };
    let page = wiki::put(&app, caller.at(&path.slug), &path.key, &path.path, &put).await?;
    Ok(Json(view::page(page)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "putWikiPage",
        "Wiki",
        "Write a page",
        "Without `version` it creates the page; with the version last read it saves the next one. A path is 1 to 10 \
         names of 1 to 80 characters; a text has at most 200,000 characters and 390 KiB. For everyone in the \
         project except Guests, unless the page or one above it says otherwise; in the Factory section, for factory \
         operators who are Admins of the project.",
    )
}
