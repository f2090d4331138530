//! `GET …/items/{key}/refinement`: the refinement of an item.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::Refinement;
use svc_app::App;
use svc_app::factory::refinements;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ItemPath;
use svc_http::problems::FACTORY_NOT_PERMITTED;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::factory::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
) -> ApiResult<Json<Refinement>> {
    let refinement = refinements::view(&app, caller.at(&path.slug), &path.key).await?;
    Ok(Json(view::refinement(refinement)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FACTORY_NOT_PERMITTED]);
    operation(
        op,
        "getRefinement",
        "Refinement",
        "View a refinement",
        "The last refinement of the item: its open questions, its proposal, and its rounds. For factory operators. \
         404 for an item that was never refined.",
    )
}
