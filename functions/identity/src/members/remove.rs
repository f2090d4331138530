//! `DELETE /orgs/{slug}/members/{userId}`: a member leaves.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::{App, identity};
use svc_domain::identity::Scope;
use svc_http::doc::{operation, scope};
use svc_http::{ApiResult, Caller, NoContent, Path};

use crate::paths::MemberPath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<MemberPath>,
) -> ApiResult<NoContent> {
    identity::remove_member(&app, caller.at(&path.slug), path.user_id).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    let description = "From the organization and all its projects; the account stays. Needs an Owner or Admin and the scope \
         `admin`. Only Owners remove Owners, and the last Owner cannot be removed (409).";
    operation(op, "removeMember", "Members", "Remove a member", description)
}
