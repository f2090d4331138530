//! `POST …/code-host`: begins to connect the organization with the code host.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{CodeHostDeparture, ConnectCodeHost};
use svc_app::App;
use svc_app::factory::code_host;
use svc_domain::identity::Scope;
use svc_http::doc::{operation, refuses, scope};
use svc_http::paths::OrgPath;
use svc_http::problems::CONFLICT;
use svc_http::{ApiResult, Body, Caller, Json, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Body(connect): Body<ConnectCodeHost>,
) -> ApiResult<Json<CodeHostDeparture>> {
    let return_to = connect.return_to.as_deref();
    let departure = code_host::connect(&app, caller.at(&path.slug), return_to).await?;
    Ok(Json(CodeHostDeparture { install_url: departure.address, expires_at: departure.expires_at }))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "For Owners and Admins. Send a browser in which the caller is signed in to \
         `installUrl`. The person installs the service's app in an account there; then the browser comes \
         back to `GET /code-host/callback`, which redirects to `returnTo`. Answers 409 if the instance has \
         no code host, or if the organization is connected already.";
    let op = refuses(op, &[CONFLICT]);
    let op = scope(op, Some(Scope::Admin));
    operation(op, "connectCodeHost", "Code host", "Connect the code host", description)
}
