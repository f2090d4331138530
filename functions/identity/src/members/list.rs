//! `GET /orgs/{slug}/members`: the members of an organization.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::Member;
use svc_app::{App, identity};
use svc_http::doc::operation;
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::identity::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
) -> ApiResult<Json<Vec<Member>>> {
    let members = identity::members(&app, caller.at(&path.slug)).await?;
    Ok(Json(members.into_iter().map(view::member).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "By name. Owners and Admins see every member of the organization with their address. \
         Everybody else sees the Owners, the Admins and the people of their own projects, and no address but \
         their own.";
    operation(op, "listMembers", "Members", "List members", description)
}
