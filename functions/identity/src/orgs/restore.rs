//! `POST /orgs/{slug}/restore`: restores a deleted organization.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::Organization;
use svc_app::{App, identity};
use svc_domain::identity::Scope;
use svc_http::doc::{operation, scope};
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::identity::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
) -> ApiResult<Json<Organization>> {
    let org = identity::restore_org(&app, caller.at(&path.slug)).await?;
    Ok(Json(view::org(org)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    operation(
        op,
        "restoreOrganization",
        "Organizations",
        "Restore an organization",
        "For Owners, for 30 days. Everything in it is restored; cancelled runs stay cancelled. Restoring \
        it again changes nothing.",
    )
}
