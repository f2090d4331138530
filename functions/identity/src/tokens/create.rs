//! `POST /me/tokens`: a new access token.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::{CreatedToken, NewToken};
use svc_app::{App, identity};
use svc_domain::identity::Scope;
use svc_http::doc::{operation, scope};
use svc_http::{ApiResult, Body, Caller, Created};
use svc_present::identity::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(body): Body<NewToken>,
) -> ApiResult<Created<CreatedToken>> {
    let new = identity::NewToken {
        name: body.name,
        scopes: read::scopes(&body.scopes)?,
        organization: body.organization,
        expires_at: body.expires_at,
    };
    let made = identity::create_token(&app, caller.credential(), new).await?;
    Ok(Created(CreatedToken { token: view::token(made.token), secret: made.secret }))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    let description = "Needs the scope `admin`. The secret is shown only once. A token created with a token \
         cannot exceed that token's scopes, organization or lifetime. The scope `mcp` needs an organization.";
    operation(op, "createToken", "Account", "Create an access token", description)
}
