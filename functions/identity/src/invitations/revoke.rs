//! `DELETE /orgs/{slug}/invitations/{id}`: an invitation is withdrawn.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::{App, identity};
use svc_domain::identity::Scope;
use svc_domain::ids::InvitationId;
use svc_http::doc::{operation, scope};
use svc_http::paths::OrgIdPath;
use svc_http::{ApiResult, Caller, NoContent, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<InvitationId>>,
) -> ApiResult<NoContent> {
    identity::revoke_invitation(&app, caller.at(&path.slug), path.id).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    let description = "Its link stops working. 409 for an invitation that was accepted or withdrawn. Needs an Owner or Admin and \
         the scope `admin`.";
    operation(op, "revokeInvitation", "Invitations", "Withdraw an invitation", description)
}
