//! `POST /orgs/{slug}/leave`: the caller leaves.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::{App, identity};
use svc_http::doc::operation;
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, NoContent, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
) -> ApiResult<NoContent> {
    identity::leave_org(&app, caller.at(&path.slug)).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "The caller leaves all its projects too. The last Owner cannot leave (409).";
    operation(op, "leaveOrganization", "Organizations", "Leave an organization", description)
}
