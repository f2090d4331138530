//! `GET /orgs/{slug}/audit`: who did what in an organization.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::{AuditPage, AuditQuery};
use svc_app::{App, identity};
use svc_http::doc::operation;
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, Json, Path, Query};
use svc_present::identity::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Query(query): Query<AuditQuery>,
) -> ApiResult<Json<AuditPage>> {
    let (filter, limit) = read::audit(query)?;
    Ok(Json(view::audit(identity::audit_log(&app, caller.at(&path.slug), filter, limit).await?)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "For Owners and Admins, newest first: who changed members, roles, tokens, \
         agents, runners, playbooks, rules and settings, who deleted what, and who started and cancelled runs. Other \
         work on items is in their history, and a token that reaches all organizations of a person is in the log of each. Lines are kept for a year unless the instance says otherwise.";
    operation(op, "listAuditLog", "Organizations", "Read the audit log", description)
}
