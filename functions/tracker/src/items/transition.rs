//! `POST /orgs/{slug}/items/{key}/transition`: moves an item to another workflow state.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Item, Transition};
use svc_app::App;
use svc_app::tracker::claims;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ItemPath;
use svc_http::problems::MOVE;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Body(to): Body<Transition>,
) -> ApiResult<Json<Item>> {
    let Transition { version, state } = to;
    let item = claims::transition(&app, caller.at(&path.slug), &path.key, version, &state).await?;
    Ok(Json(view::item(item)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[MOVE]);
    operation(
        op,
        "transitionItem",
        "Items",
        "Move an item to another state",
        "Only along the moves of the project's workflow. Agents cannot move items: the run moves its item when it \
         ends.",
    )
}
