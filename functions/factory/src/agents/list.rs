//! `GET …/agents`: the agents of an organization.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::deletion::DeletedQuery;
use svc_api::factory::Agent;
use svc_app::App;
use svc_app::factory::agents;
use svc_http::doc::operation;
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, Json, Path, Query};
use svc_present::factory::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Query(query): Query<DeletedQuery>,
) -> ApiResult<Json<Vec<Agent>>> {
    let agents = agents::list(&app, caller.at(&path.slug), query.deleted.unwrap_or(false)).await?;
    Ok(Json(agents.into_iter().map(view::agent).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(op, "listAgents", "Agents", "List agents", "Bot identities that work on items, oldest first.")
}
