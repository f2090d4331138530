//! `GET /orgs/{slug}/items/{key}/links`: what an item is linked with.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::Links;
use svc_app::App;
use svc_app::tracker::item_links;
use svc_http::doc::operation;
use svc_http::paths::ItemPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
) -> ApiResult<Json<Links>> {
    Ok(Json(view::links(item_links::list(&app, caller.at(&path.slug), &path.key).await?)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "listLinks",
        "Items",
        "List an item's links",
        "Other items of the organization, and pull requests. Deleted items, and items in projects that you cannot \
        see, are left out.",
    )
}
