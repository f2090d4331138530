//! `PUT …/projects/{key}/workflow`: replaces the workflow of a project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{SetWorkflow, Workflow};
use svc_app::App;
use svc_app::tracker::workflow;
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::tracker::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Body(set): Body<SetWorkflow>,
) -> ApiResult<Json<Workflow>> {
    let wanted = read::workflow(set)?;
    let set = workflow::set(&app, caller.at(&path.slug), &path.key, &wanted).await?;
    Ok(Json(view::workflow(set)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "setWorkflow",
        "Projects",
        "Replace the workflow",
        "For Admins of the project. New items start in the first state. To rename or drop a state that items \
         are in, name their new state in `moveItems`; playbooks and settings that name the old state follow. \
         In a large project some items follow a few seconds later.",
    )
}
