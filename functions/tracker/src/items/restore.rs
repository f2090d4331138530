//! `POST /orgs/{slug}/items/{key}/restore`: brings a deleted item back.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::Item;
use svc_app::App;
use svc_app::tracker::deletion;
use svc_http::doc::operation;
use svc_http::paths::ItemPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
) -> ApiResult<Json<Item>> {
    let item = deletion::restore(&app, caller.at(&path.slug), &path.key).await?;
    Ok(Json(view::item(item)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "restoreItem",
        "Items",
        "Restore a deleted item",
        "For Admins of the project, and for the people who created and deleted the item. Everything is restored \
        except its claim. If its parent was deleted or its sprint was completed, the item is restored without them. \
        If its state is no longer in the workflow, it starts in the first state. A subtask can be restored only \
        after its parent.",
    )
}
