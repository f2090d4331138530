//! `DELETE /orgs/{slug}/items/{key}/watch`: the caller watches an item no longer.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::App;
use svc_app::tracker::watchers;
use svc_http::doc::operation;
use svc_http::paths::ItemPath;
use svc_http::{ApiResult, Caller, NoContent, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
) -> ApiResult<NoContent> {
    watchers::set(&app, caller.at(&path.slug), &path.key, false).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let text = "Changes nothing if the caller does not watch the item.";
    operation(op, "unwatchItem", "Items", "Stop watching an item", text)
}
