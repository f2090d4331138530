//! `POST /auth/invitations/look`: what a link invites to.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::{InvitationSecret, ReceivedInvitation};
use svc_app::{App, identity};
use svc_http::doc::{operation, refuses};
use svc_http::problems::{CONFLICT, NOT_FOUND};
use svc_http::{ApiResult, Body, Json};
use svc_present::identity::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    Body(body): Body<InvitationSecret>,
) -> ApiResult<Json<ReceivedInvitation>> {
    let seen = identity::look_at_invitation(&app, &body.secret).await?;
    Ok(Json(view::received(seen)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "The organization and the role that the link invites to. Needs the link only, no \
         credential. 404 for an unknown link; 409 says why the link no longer works. Counted against the \
         sign-in budget.";
    let op = refuses(op, &[CONFLICT, NOT_FOUND]);
    operation(op, "lookAtInvitation", "Sign-in", "View an invitation", description)
}
