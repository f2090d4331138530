//! `POST …/items/{key}/refinement/changes`: sends a note for another pass.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{AskForChanges, Refinement};
use svc_app::App;
use svc_app::factory::refinements;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ItemPath;
use svc_http::problems::{CONFLICT, FACTORY_NOT_PERMITTED, ITEM_CLAIMED, LIVE_RUN};
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::factory::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Body(changes): Body<AskForChanges>,
) -> ApiResult<Json<Refinement>> {
    let reply = read::refinement_changes(changes);
    let refinement = refinements::ask_for_changes(&app, caller.at(&path.slug), &path.key, &reply).await?;
    Ok(Json(view::refinement(refinement)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FACTORY_NOT_PERMITTED, ITEM_CLAIMED, LIVE_RUN, CONFLICT]);
    operation(
        op,
        "askForRefinementChanges",
        "Refinement",
        "Ask for changes",
        "Queues another round, whose prompt includes the note. 409 unless questions or a proposal wait for people.",
    )
}
