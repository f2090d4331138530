//! `GET /orgs`: the organizations that the caller sees.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::deletion::DeletedQuery;
use svc_api::identity::Organization;
use svc_app::{App, identity};
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, Json, Query};
use svc_present::identity::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(query): Query<DeletedQuery>,
) -> ApiResult<Json<Vec<Organization>>> {
    let orgs = match query.deleted.unwrap_or(false) {
        true => identity::deleted_orgs(&app, caller.credential()).await?,
        false => identity::orgs(&app, caller.credential()).await?,
    };
    Ok(Json(orgs.into_iter().map(view::org).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "The organizations that the caller belongs to, by slug. A token bound to one organization sees only that \
         one.";
    operation(op, "listOrganizations", "Organizations", "List organizations", description)
}
