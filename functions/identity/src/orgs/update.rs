//! `PATCH /orgs/{slug}`: an organization changes.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::{Organization, UpdateOrganization};
use svc_app::App;
use svc_app::identity::{self, OrgChange};
use svc_domain::identity::Scope;
use svc_http::doc::{operation, scope};
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::identity::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Body(body): Body<UpdateOrganization>,
) -> ApiResult<Json<Organization>> {
    let change = OrgChange { version: body.version, name: body.name, read_only: body.read_only };
    let org = identity::update_org(&app, caller.at(&path.slug), change).await?;
    Ok(Json(view::org(org)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    let description = "Owners and Admins rename it; Owners make it read-only. A read-only organization \
         accepts only one change: making it writable again. Needs the scope `admin`.";
    operation(op, "updateOrganization", "Organizations", "Change an organization", description)
}
