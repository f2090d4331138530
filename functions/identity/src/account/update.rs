//! `PATCH /me`: name and address of the caller.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::{Me, UpdateMe};
use svc_app::App;
use svc_app::identity::{self, ProfileChange};
use svc_http::doc::operation;
use svc_http::{ApiResult, Body, Caller, Json};

use crate::view;

pub(crate) async fn handle(
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
    let me = identity::update_me(&app, caller.presented(), change).await?;
    Ok(Json(view::me(me)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Name and address. A new address needs the password. Lists of members show the change a moment later. \
                       Needs the scope `admin`, and no binding to an organization.";
    operation(op, "updateMe", "Account", "Change my account", description)
}
