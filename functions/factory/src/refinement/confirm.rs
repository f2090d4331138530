//! `POST …/items/{key}/refinement/confirm`: confirms the proposal.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{ConfirmRefinement, Refinement};
use svc_app::App;
use svc_app::factory::refinements::{self, Confirmation};
use svc_http::doc::{operation, refuses};
use svc_http::paths::ItemPath;
use svc_http::problems::{CONFLICT, FACTORY_NOT_PERMITTED, MOVE};
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::factory::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Body(confirm): Body<ConfirmRefinement>,
) -> ApiResult<Json<Refinement>> {
    let confirmation = Confirmation { version: confirm.version, item_version: confirm.item_version };
    let refinement = refinements::confirm(&app, caller.at(&path.slug), &path.key, &confirmation).await?;
    Ok(Json(view::refinement(refinement)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FACTORY_NOT_PERMITTED, CONFLICT, MOVE]);
    operation(
        op,
        "confirmRefinement",
        "Refinement",
        "Confirm a ticket",
        "The item gets the proposed title, description, priority and labels, and moves to the state that the \
         project's refinement settings name. Nothing changes if that move is not permitted, or if somebody \
         changed the item since `itemVersion`.",
    )
}
