//! `POST /orgs/{slug}/items/{key}/heartbeat`: keeps the caller's claim fresh.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::Item;
use svc_app::App;
use svc_app::tracker::claims;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ItemPath;
use svc_http::problems::{ITEM_CLAIMED, NOT_CLAIM_HOLDER};
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
) -> ApiResult<Json<Item>> {
    let item = claims::heartbeat(&app, caller.at(&path.slug), &path.key).await?;
    Ok(Json(view::item(item)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ITEM_CLAIMED, NOT_CLAIM_HOLDER]);
    operation(
        op,
        "heartbeatItem",
        "Items",
        "Keep a claim fresh",
        "For the holder of the claim. Send it about once a minute. The item's version and time of change stay the \
         same.",
    )
}
