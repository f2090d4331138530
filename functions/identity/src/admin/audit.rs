//! `GET /admin/audit`: what admins of the instance did.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::{AuditPage, AuditQuery};
use svc_app::{App, administration};
use svc_http::{ApiResult, Caller, Json, Query};
use svc_present::identity::{read, view};

use super::{administers, by};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(query): Query<AuditQuery>,
) -> ApiResult<Json<AuditPage>> {
    let (filter, limit) = read::audit(query)?;
    Ok(Json(view::audit(administration::instance_audit(&app, by(&caller), filter, limit).await?)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "What admins of the instance did, newest first. What concerns an organization is in its own audit log too.";
    administers(op, "listInstanceAudit", "Read the audit log of the instance", description)
}
