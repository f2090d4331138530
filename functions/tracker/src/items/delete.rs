//! `DELETE /orgs/{slug}/items/{key}`: deletes an item.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::App;
use svc_app::tracker::deletion;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ItemPath;
use svc_http::problems::{ITEM_CLAIMED, LIVE_RUN};
use svc_http::{ApiResult, Caller, NoContent, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
) -> ApiResult<NoContent> {
    deletion::delete(&app, caller.at(&path.slug), &path.key).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ITEM_CLAIMED, LIVE_RUN]);
    operation(
        op,
        "deleteItem",
        "Items",
        "Delete an item",
        "For the person who created it and Admins of the project. It can be restored for 30 days, with its comments, \
        attachments and history; after that, they are deleted too. Its key is never reused. An item that has \
        children or a live run, or that somebody else has claimed, cannot be deleted. Requests for a deleted item, \
        its attachments and its runs answer 410.",
    )
}
