//! `PUT /orgs/{slug}/group-roles`: sets the roles that groups give.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::{GroupRoles, SetGroupRoles};
use svc_app::{App, identity};
use svc_domain::identity::Scope;
use svc_http::doc::{operation, scope};
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::identity::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Body(body): Body<SetGroupRoles>,
) -> ApiResult<Json<GroupRoles>> {
    let mapped = read::group_roles(body.groups)?;
    let set = identity::set_group_roles(&app, caller.at(&path.slug), body.version, &mapped).await?;
    Ok(Json(view::group_roles(set)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    let description = "For Owners. People whom SCIM put into a group have their new role at once, others when they sign in \
         next. A role that a person gave stays, unless a group gives a higher one; the last Owner stays an Owner.";
    operation(op, "setGroupRoles", "Members", "Set the roles that groups give", description)
}
