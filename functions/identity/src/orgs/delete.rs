//! `DELETE /orgs/{slug}`: deletes an organization.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::DeleteOrganizationQuery;
use svc_app::{App, identity};
use svc_domain::identity::Scope;
use svc_http::doc::{operation, scope};
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, NoContent, Path, Query};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Query(query): Query<DeleteOrganizationQuery>,
) -> ApiResult<NoContent> {
    let confirmed = query.confirm.unwrap_or_default();
    identity::delete_org(&app, caller.at(&path.slug), &confirmed).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    operation(
        op,
        "deleteOrganization",
        "Organizations",
        "Delete an organization",
        "For Owners, with the organization's slug as `confirm`. At once, everything in the organization \
        answers 410 to its members, and its runs are cancelled. The organization can be restored for 30 days; then \
        everything in it is deleted for good, and its slug is free. Deleting it again changes nothing.",
    )
}
