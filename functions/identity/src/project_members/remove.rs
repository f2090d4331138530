//! `DELETE /orgs/{slug}/projects/{key}/members/{userId}`: a member leaves a project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::{App, identity};
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, NoContent, Path};

use crate::paths::ProjectMemberPath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectMemberPath>,
) -> ApiResult<NoContent> {
    let ProjectMemberPath { slug, key, user_id } = path;
    identity::remove_project_member(&app, caller.at(&slug), &key, user_id).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Needs an Admin of the project or organization.";
    operation(op, "removeProjectMember", "Members", "Remove a member from a project", description)
}
