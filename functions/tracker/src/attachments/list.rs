//! `GET /orgs/{slug}/items/{key}/attachments`: the attachments of an item and its comments.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::Page;
use svc_api::page::PageQuery;
use svc_api::tracker::Attachment;
use svc_app::App;
use svc_app::tracker::attachments;
use svc_http::doc::operation;
use svc_http::paths::ItemPath;
use svc_http::{ApiResult, Caller, Json, Path, Query, page};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Query(query): Query<PageQuery>,
) -> ApiResult<Json<Page<Attachment>>> {
    let seen = attachments::list(&app, caller.at(&path.slug), &path.key).await?;
    Ok(Json(page(seen.into_iter().map(|seen| view::attachment(&path.slug, seen)), query.into())))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "listAttachments",
        "Attachments",
        "List attachments",
        "The committed attachments of the item and its comments, oldest first. `comment` names the comment, if \
         there is one.",
    )
}
