//! `GET /orgs/{slug}/projects/{key}/members`: the members of a project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::ProjectMember;
use svc_app::{App, identity};
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::identity::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
) -> ApiResult<Json<Vec<ProjectMember>>> {
    let members = identity::project_members(&app, caller.at(&path.slug), &path.key).await?;
    Ok(Json(members.into_iter().map(view::project_member).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description =
        "By name. Owners and Admins of the organization see every project without being members of it.";
    operation(op, "listProjectMembers", "Members", "List members of a project", description)
}
