//! `PATCH /orgs/{slug}/items/{key}`: changes an item's fields.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Item, UpdateItem};
use svc_app::App;
use svc_app::tracker::items;
use svc_http::doc::operation;
use svc_http::paths::ItemPath;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::tracker::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Body(update): Body<UpdateItem>,
) -> ApiResult<Json<Item>> {
    let update = read::update_item(update)?;
    let item = items::update(&app, caller.at(&path.slug), &path.key, &update).await?;
    Ok(Json(view::item(item)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "updateItem",
        "Items",
        "Change an item",
        "Absent fields stay as they are; `null` clears a field. Each changed field becomes a history entry. A \
        request that changes nothing writes nothing.",
    )
}
