//! `POST /orgs/{slug}/projects`: creates a project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{NewProject, Project};
use svc_app::App;
use svc_app::tracker::projects;
use svc_http::doc::{operation, refuses};
use svc_http::paths::OrgPath;
use svc_http::problems::ALREADY_EXISTS;
use svc_http::{ApiResult, Body, Caller, CreatedAt, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Body(new): Body<NewProject>,
) -> ApiResult<CreatedAt<Project>> {
    let new = projects::NewProject { key: new.key, name: new.name, description: new.description };
    let project = projects::create(&app, caller.at(&path.slug), &new).await?;
    let project = view::project(project);
    Ok(CreatedAt(format!("/orgs/{}/projects/{}", path.slug, project.key), project))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS]);
    operation(
        op,
        "createProject",
        "Projects",
        "Create a project",
        "For Owners and Admins of the organization. The project starts with the default workflow, and its \
         creator becomes its Admin. The key is unique in the organization.",
    )
}
