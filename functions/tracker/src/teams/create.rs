//! `POST …/projects/{key}/teams`: creates a team.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{NewTeam, Team};
use svc_app::App;
use svc_app::tracker::teams;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectPath;
use svc_http::problems::ALREADY_EXISTS;
use svc_http::{ApiResult, Body, Caller, CreatedAt, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Body(new): Body<NewTeam>,
) -> ApiResult<CreatedAt<Team>> {
    let NewTeam { key, name, members } = new;
    let new = teams::NewTeam { key, name, members };
    let team = teams::create(&app, caller.at(&path.slug), &path.key, &new).await?;
    let team = view::team(team);
    Ok(CreatedAt(format!("/orgs/{}/projects/{}/teams/{}", path.slug, path.key, team.key), team))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS]);
    operation(
        op,
        "createTeam",
        "Teams",
        "Create a team",
        "For Admins of the project. Its key never changes; its members are members of the project.",
    )
}
