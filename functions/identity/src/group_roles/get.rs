//! `GET /orgs/{slug}/group-roles`: the roles that groups give.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::GroupRoles;
use svc_app::{App, identity};
use svc_http::doc::operation;
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::identity::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
) -> ApiResult<Json<GroupRoles>> {
    Ok(Json(view::group_roles(identity::group_roles(&app, caller.at(&path.slug)).await?)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "For Owners and Admins. The groups are those of the identity provider, which says who is in them: at \
         each sign-in, or by SCIM.";
    operation(op, "getGroupRoles", "Members", "Read the roles that groups give", description)
}
