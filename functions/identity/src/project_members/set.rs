//! `PUT /orgs/{slug}/projects/{key}/members/{userId}`: a role in a project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::{ProjectMember, SetProjectMember};
use svc_app::identity::SetRole;
use svc_app::{App, identity};
use svc_http::doc::operation;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::identity::view;
use svc_present::words;

use crate::paths::ProjectMemberPath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectMemberPath>,
    Body(body): Body<SetProjectMember>,
) -> ApiResult<Json<ProjectMember>> {
    let set = SetRole { role: words::read("role", body.role)?, version: body.version };
    let ProjectMemberPath { slug, key, user_id } = path;
    let member = identity::set_project_member(&app, caller.at(&slug), &key, user_id, set).await?;
    Ok(Json(view::project_member(member)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description =
        "Adds the member to the project or changes the role. Needs an Admin of the project or organization.";
    operation(op, "setProjectMember", "Members", "Set a member's project role", description)
}
