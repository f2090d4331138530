//! `POST /orgs/{slug}/items/{key}/move`: moves an item to a sprint, a place or a state.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Item, MoveItem};
use svc_app::App;
use svc_app::tracker::moves;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ItemPath;
use svc_http::problems::MOVE;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::tracker::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Body(to): Body<MoveItem>,
) -> ApiResult<Json<Item>> {
    let to = read::move_item(to)?;
    let item = moves::item(&app, caller.at(&path.slug), &path.key, &to).await?;
    Ok(Json(view::item(item)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[MOVE]);
    operation(
        op,
        "moveItem",
        "Items",
        "Move an item to a sprint, a place or a state",
        "Sprint, place, state and fields change in one commit; absent fields stay. Its subtasks go with it \
         into the sprint. The whole project has one order, which `sort=rank` lists. An agent cannot move its \
         item to another state: the run does that when it ends.",
    )
}
