//! `POST /orgs/{slug}/invitations`: an invitation.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::{Invitation, NewInvitation};
use svc_app::{App, identity};
use svc_domain::identity::Scope;
use svc_http::doc::{operation, scope};
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Body, Caller, Created, Path};
use svc_present::identity::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Body(body): Body<NewInvitation>,
) -> ApiResult<Created<Invitation>> {
    let new = read::new_invitation(body)?;
    let invited = identity::invite(&app, caller.at(&path.slug), new).await?;
    Ok(Created(view::invited(invited, app.now())))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    let description = "By address, as Member, Admin, Guest or Stakeholder. The link is sent by mail; if the \
                       instance sends no mail, or its mail fails, the answer shows it. Needs an Owner or Admin and the \
                       scope `admin`. An address has one live invitation (409).";
    operation(op, "inviteMember", "Invitations", "Invite somebody", description)
}
