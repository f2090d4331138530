//! `GET /orgs/{slug}/invitations`: the invitations of an organization.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::Invitation;
use svc_app::{App, identity};
use svc_http::doc::operation;
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::identity::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
) -> ApiResult<Json<Vec<Invitation>>> {
    let invitations = identity::invitations(&app, caller.at(&path.slug)).await?;
    let now = app.now();
    Ok(Json(invitations.into_iter().map(|invited| view::invited(invited, now)).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "The newest first. An invitation whose mail fails says why and has its link, for the one who invited. Needs an \
                       Owner or Admin.";
    operation(op, "listInvitations", "Invitations", "List invitations", description)
}
