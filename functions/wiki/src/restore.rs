//! `POST …/projects/{key}/wiki/restore/{path}`: brings an earlier version back.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::wiki::{RestorePage, WikiPage};
use svc_app::{App, wiki};
use svc_http::doc::operation;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::wiki::view;

use crate::path::PagePath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(at): Path<PagePath>,
    Body(RestorePage { version, restore }): Body<RestorePage>,
) -> ApiResult<Json<WikiPage>> {
    let wanted = wiki::Restore { version, restore };
    let page = wiki::restore(&app, caller.at(&at.slug), &at.key, &at.path, wanted).await?;
    Ok(Json(view::page(page)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "restoreWikiPage",
        "Wiki",
        "Restore an earlier version",
        "Saves the text of the earlier version as the next version; no version is removed. For people who may edit \
         the page.",
    )
}
