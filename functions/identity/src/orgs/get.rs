//! `GET /orgs/{slug}`: an organization.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::Organization;
use svc_app::{App, identity};
use svc_http::doc::operation;
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::identity::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
) -> ApiResult<Json<Organization>> {
    let org = identity::org(&app, caller.at(&path.slug)).await?;
    Ok(Json(view::org(org)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Its name, the caller's role in it, and what the caller may do.";
    operation(op, "getOrganization", "Organizations", "View an organization", description)
}
