//! `POST /orgs/{slug}/items/{key}/claim`: claims an item for the caller.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{ClaimItem, Item};
use svc_app::App;
use svc_app::tracker::claims;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ItemPath;
use svc_http::problems::{ITEM_CLAIMED, LIVE_RUN};
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Body(claim): Body<ClaimItem>,
) -> ApiResult<Json<Item>> {
    let item = claims::claim(&app, caller.at(&path.slug), &path.key, claim.version).await?;
    Ok(Json(view::item(item)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ITEM_CLAIMED, LIVE_RUN]);
    operation(
        op,
        "claimItem",
        "Items",
        "Claim an item",
        "Of several callers who claim the same version, one succeeds; the others, and the current holder, get 409 \
         `item-claimed` with the holder's name. A claim without recent heartbeats can be taken over.",
    )
}
