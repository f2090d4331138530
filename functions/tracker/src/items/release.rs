//! `POST /orgs/{slug}/items/{key}/release`: releases the claim of an item.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::Item;
use svc_app::App;
use svc_app::tracker::claims;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ItemPath;
use svc_http::problems::{ITEM_CLAIMED, LIVE_RUN, NOT_CLAIM_HOLDER};
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
) -> ApiResult<Json<Item>> {
    let item = claims::release(&app, caller.at(&path.slug), &path.key).await?;
    Ok(Json(view::item(item)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ITEM_CLAIMED, LIVE_RUN, NOT_CLAIM_HOLDER]);
    operation(
        op,
        "releaseItem",
        "Items",
        "Release an item",
        "For the holder and Admins of the project, and for everyone once the claim is stale. While a live run holds \
        the item, only the run's agent can release it. Releasing an unclaimed item changes nothing.",
    )
}
