//! `DELETE /orgs/{slug}/scim-tokens/{id}`: ends a token of the directory.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::App;
use svc_app::identity::directory;
use svc_domain::identity::Scope;
use svc_http::doc::{operation, scope};
use svc_http::{ApiResult, Caller, NoContent, Path};

use crate::paths::ScimTokenPath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ScimTokenPath>,
) -> ApiResult<NoContent> {
    directory::revoke_token(&app, caller.at(&path.slug), path.id).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    let description = "For Owners. It stops working immediately. The people and groups that it wrote stay.";
    operation(op, "revokeScimToken", "Members", "Revoke a SCIM token", description)
}
