//! `POST /orgs/{slug}/sprints/{id}/complete`: completes an active sprint.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{CompleteSprint, CompletedSprint};
use svc_app::App;
use svc_app::tracker::sprints;
use svc_domain::ids::SprintId;
use svc_http::doc::operation;
use svc_http::paths::OrgIdPath;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::tracker::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<SprintId>>,
    Body(complete): Body<CompleteSprint>,
) -> ApiResult<Json<CompletedSprint>> {
    let unfinished = read::unfinished_to(complete.unfinished_to.as_deref())?;
    let (slug, version) = (&path.slug, complete.version);
    let done = sprints::complete(&app, caller.at(slug), path.id, version, unfinished).await?;
    Ok(Json(view::completed_sprint(done)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "completeSprint",
        "Sprints",
        "Complete a sprint",
        "Unfinished items move where you say, and the answer says how many moved. If the request is cut off, the \
         service finishes the work.",
    )
}
