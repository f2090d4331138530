//! `POST …/items/{key}/refinement`: starts a refinement.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{Refinement, StartRefinement};
use svc_app::App;
use svc_app::factory::refinements;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ItemPath;
use svc_http::problems::{CONFLICT, FACTORY_NOT_PERMITTED, ITEM_CLAIMED, LIVE_RUN};
use svc_http::{ApiResult, Body, Caller, CreatedAt, Path};
use svc_present::factory::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Body(start): Body<StartRefinement>,
) -> ApiResult<CreatedAt<Refinement>> {
    let start = read::start_refinement(start)?;
    let refinement = refinements::start(&app, caller.at(&path.slug), &path.key, &start).await?;
    let address = format!("/orgs/{}/items/{}/refinement", path.slug, path.key);
    Ok(CreatedAt(address, view::refinement(refinement)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FACTORY_NOT_PERMITTED, ITEM_CLAIMED, LIVE_RUN, CONFLICT]);
    operation(
        op,
        "startRefinement",
        "Refinement",
        "Refine a ticket",
        "Queues a run in which the project's agent reads the item and submits questions, a proposal, or both. An \
        item can be refined again after a confirmation or a failure. For factory operators. Answers 409 while the \
        item is claimed, has a live run, or has questions or a proposal that wait for people.",
    )
}
