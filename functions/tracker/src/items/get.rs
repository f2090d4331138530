//! `GET /orgs/{slug}/items/{key}`: an item.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::Item;
use svc_app::App;
use svc_app::tracker::items;
use svc_http::doc::operation;
use svc_http::paths::ItemPath;
use svc_http::{ApiResult, Caller, Json, Path};

use crate::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
) -> ApiResult<Json<Item>> {
    let item = items::get(&app, caller.presented(), &path.slug, &path.key).await?;
    Ok(Json(view::item(item)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "getItem",
        "Items",
        "View an item",
        "With its description. An item that the caller cannot see answers as one that does not exist.",
    )
}
