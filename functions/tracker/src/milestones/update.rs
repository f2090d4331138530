//! `PATCH …/projects/{key}/milestones/{id}`: changes, closes or reopens a milestone.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Milestone, UpdateMilestone};
use svc_app::App;
use svc_app::tracker::milestones;
use svc_domain::ids::MilestoneId;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectIdPath;
use svc_http::problems::ALREADY_EXISTS;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::tracker::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectIdPath<MilestoneId>>,
    Body(update): Body<UpdateMilestone>,
) -> ApiResult<Json<Milestone>> {
    let update = read::update_milestone(update)?;
    let caller = caller.at(&path.slug);
    let milestone = milestones::update(&app, caller, &path.key, path.id, &update).await?;
    Ok(Json(view::milestone(milestone)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS]);
    operation(
        op,
        "updateMilestone",
        "Milestones",
        "Change, close or reopen a milestone",
        "A closed milestone keeps its items and accepts no new ones.",
    )
}
