//! `POST …/agents`: creates an agent.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{Agent, NewAgent};
use svc_app::App;
use svc_app::factory::agents;
use svc_domain::identity::Scope;
use svc_http::doc::{operation, refuses, scope};
use svc_http::paths::OrgPath;
use svc_http::problems::ALREADY_EXISTS;
use svc_http::{ApiResult, Body, Caller, Created, Path};
use svc_present::factory::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Body(new): Body<NewAgent>,
) -> ApiResult<Created<Agent>> {
    let agent = agents::create(&app, caller.at(&path.slug), &new.name, new.model).await?;
    Ok(Created(view::agent(agent)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS]);
    let op = scope(op, Some(Scope::Admin));
    operation(
        op,
        "createAgent",
        "Agents",
        "Create an agent",
        "For Owners and Admins. The caller owns the agent.",
    )
}
