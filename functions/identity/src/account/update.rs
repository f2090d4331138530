//! `PATCH /me`: name and address of the caller.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::{Me, UpdateMe};
use svc_app::App;
use svc_app::identity::{self, ProfileChange};
use svc_domain::identity::Scope;
use svc_http::doc::{operation, refuses, scope};
use svc_http::problems::{ALREADY_EXISTS, CONFLICT, WRONG_PASSWORD};
use svc_http::{ApiResult, Body, Caller, Json};
use svc_present::identity::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(body): Body<UpdateMe>,
) -> ApiResult<Json<Me>> {
    let change = ProfileChange {
        version: body.version,
        display_name: body.display_name,
        email: body.email,
        current_password: body.current_password,
    };
    let me = identity::update_me(&app, caller.credential(), change).await?;
    Ok(Json(view::me(me)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    let description = "Changes name and address. A new address needs the password. It takes effect when the person \
    confirms it with the link that is mailed to it (`POST /auth/email/confirm`); the old address gets a notice. \
    Answers 409 for a new address if the instance sends no mail. Lists show the change a \
         moment later. Needs the scope `admin`; a token bound to an organization gets 403.";
    let op = refuses(op, &[ALREADY_EXISTS, CONFLICT, WRONG_PASSWORD]);
    operation(op, "updateMe", "Account", "Change the account", description)
}
