//! `POST …/projects/{key}/sprints`: plans a sprint.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{NewSprint, Sprint};
use svc_app::App;
use svc_app::tracker::sprints;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectPath;
use svc_http::problems::ALREADY_EXISTS;
use svc_http::{ApiResult, Body, Caller, CreatedAt, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Body(new): Body<NewSprint>,
) -> ApiResult<CreatedAt<Sprint>> {
    let NewSprint { team, name, goal, start, end, capacity } = new;
    let new = sprints::NewSprint { team, name, goal, start, end, capacity };
    let sprint = sprints::create(&app, caller.at(&path.slug), &path.key, &new).await?;
    let sprint = view::sprint(sprint);
    Ok(CreatedAt(format!("/orgs/{}/sprints/{}", path.slug, sprint.id), sprint))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS]);
    operation(
        op,
        "createSprint",
        "Sprints",
        "Create a sprint",
        "For Members of the project. Each team has its own sprints, and at most one of them is active.",
    )
}
