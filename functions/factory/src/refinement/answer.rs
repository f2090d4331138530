//! `POST …/items/{key}/refinement/answers`: answers questions.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{AnswerRefinement, Refinement};
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
    Body(answers): Body<AnswerRefinement>,
) -> ApiResult<Json<Refinement>> {
    let reply = read::refinement_answers(answers);
    let refinement = refinements::answer(&app, caller.at(&path.slug), &path.key, &reply).await?;
    Ok(Json(view::refinement(refinement)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FACTORY_NOT_PERMITTED, ITEM_CLAIMED, LIVE_RUN, CONFLICT]);
    operation(
        op,
        "answerRefinement",
        "Refinement",
        "Answer questions and refine again",
        "Answers open questions by their numbers and queues the next round, whose prompt includes the answers. \
         Send at least one answer or a note; questions may be left open. 409 if no questions are open.",
    )
}
