//! `DELETE …/agents/{id}`: deletes an agent.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::App;
use svc_app::factory::agents;
use svc_domain::identity::Scope;
use svc_domain::ids::AgentId;
use svc_http::doc::{operation, scope};
use svc_http::paths::OrgIdPath;
use svc_http::{ApiResult, Caller, NoContent, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<AgentId>>,
) -> ApiResult<NoContent> {
    agents::delete(&app, caller.at(&path.slug), path.id).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    operation(
        op,
        "deleteAgent",
        "Agents",
        "Delete an agent",
        "For Owners and Admins. It takes no new runs, disappears from lists and frees its name. Queued runs wait \
        until the agent is restored or they are cancelled; running ones continue. History, comments and runs keep \
        its name. It can \
         be restored for 30 days. Deleting it again changes nothing.",
    )
}
