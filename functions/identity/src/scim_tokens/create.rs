//! `POST /orgs/{slug}/scim-tokens`: a new token of the directory.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::{CreatedScimToken, NewScimToken};
use svc_app::App;
use svc_app::identity::directory;
use svc_domain::identity::Scope;
use svc_http::doc::{operation, refuses, scope};
use svc_http::paths::OrgPath;
use svc_http::problems::CONFLICT;
use svc_http::{ApiResult, Body, Caller, Created, Path};
use svc_present::identity::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Body(body): Body<NewScimToken>,
) -> ApiResult<Created<CreatedScimToken>> {
    let made = directory::create_token(&app, caller.at(&path.slug), &body.name).await?;
    Ok(Created(view::created_scim_token(made)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    let op = refuses(op, &[CONFLICT]);
    let description = "For Owners. The identity provider sends the secret, which is shown only once, to the address. The token \
         works below `/scim/v2` only, and as long as the person who made it is an Owner. An organization has at \
         most ten (409).";
    operation(op, "createScimToken", "Members", "Create a SCIM token", description)
}
