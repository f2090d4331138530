//! `PATCH …/agents/{id}`: changes an agent.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{Agent, UpdateAgent};
use svc_app::App;
use svc_app::factory::agents::{self, AgentEdit};
use svc_domain::identity::Scope;
use svc_domain::ids::AgentId;
use svc_http::doc::{operation, refuses, scope};
use svc_http::paths::OrgIdPath;
use svc_http::problems::{ALREADY_EXISTS, DELETED};
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::factory::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<AgentId>>,
    Body(change): Body<UpdateAgent>,
) -> ApiResult<Json<Agent>> {
    let edit = AgentEdit {
        version: change.version,
        name: change.name,
        model: change.model.into_option(),
        disabled: change.disabled,
    };
    let agent = agents::update(&app, caller.at(&path.slug), path.id, &edit).await?;
    Ok(Json(view::agent(agent)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS, DELETED]);
    let op = scope(op, Some(Scope::Admin));
    operation(
        op,
        "updateAgent",
        "Agents",
        "Change an agent",
        "For Owners and Admins. A disabled agent takes no new runs.",
    )
}
