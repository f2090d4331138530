//! `POST …/agents/{id}/restore`: restores a deleted agent.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::Agent;
use svc_app::App;
use svc_app::factory::agents;
use svc_domain::identity::Scope;
use svc_domain::ids::AgentId;
use svc_http::doc::{operation, refuses, scope};
use svc_http::paths::OrgIdPath;
use svc_http::problems::{ALREADY_EXISTS, DELETED};
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::factory::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<AgentId>>,
) -> ApiResult<Json<Agent>> {
    let agent = agents::restore(&app, caller.at(&path.slug), path.id).await?;
    Ok(Json(view::agent(agent)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS, DELETED]);
    let op = scope(op, Some(Scope::Admin));
    operation(
        op,
        "restoreAgent",
        "Agents",
        "Restore an agent",
        "For Owners and Admins, for 30 days. The agent is as it was. If another agent has taken its name, rename \
        that one first. Restoring an agent that is not deleted changes nothing.",
    )
}
