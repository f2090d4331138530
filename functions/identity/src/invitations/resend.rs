//! `POST /orgs/{slug}/invitations/{id}/resend`: an invitation goes out again.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::{Invitation, ResendQuery};
use svc_app::{App, identity};
use svc_domain::identity::Scope;
use svc_domain::ids::InvitationId;
use svc_http::doc::{operation, scope};
use svc_http::paths::OrgIdPath;
use svc_http::{ApiResult, Caller, Json, Path, Query};
use svc_present::identity::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<InvitationId>>,
    Query(query): Query<ResendQuery>,
) -> ApiResult<Json<Invitation>> {
    let by_hand = query.by_hand;
    let invited = identity::resend_invitation(&app, caller.at(&path.slug), path.id, by_hand).await?;
    Ok(Json(view::invited(invited, app.now())))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    let description = "Sends a new link with a new expiry; earlier links stop working. 409 for an invitation that \
    was accepted or \
         withdrawn. Needs an Owner or Admin and the scope `admin`.";
    operation(op, "resendInvitation", "Invitations", "Send an invitation again", description)
}
