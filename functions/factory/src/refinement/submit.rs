//! `PUT …/items/{key}/refinement/submission`: only the agent of a refine run can hand in its result.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{Refinement, SubmitRefinement};
use svc_app::App;
use svc_app::factory::refinements;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ItemPath;
use svc_http::problems::CONFLICT;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::factory::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Body(submission): Body<SubmitRefinement>,
) -> ApiResult<Json<Refinement>> {
    let submission = read::submission(submission)?;
    let refinement = refinements::submit(&app, caller.at(&path.slug), &path.key, &submission).await?;
    Ok(Json(view::refinement(refinement)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[CONFLICT]);
    operation(
        op,
        "submitRefinement",
        "Refinement",
        "Submit a refinement",
        "For the agent of a refine run, with the token of that run. The last submission counts when the run \
         ends: questions then wait for answers, and a proposal waits for confirmation. A run that submits \
         nothing has failed to refine the ticket.",
    )
}
