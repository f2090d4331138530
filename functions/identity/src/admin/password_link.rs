//! `POST /admin/accounts/{id}/password-link`: a link to a new password.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::administration::PasswordLink;
use svc_app::{App, administration};
use svc_domain::ids::UserId;
use svc_http::paths::IdPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::administration as view;

use super::{administers, by};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<IdPath<UserId>>,
) -> ApiResult<Json<PasswordLink>> {
    Ok(Json(view::password_link(administration::make_password_link(&app, by(&caller), path.id).await?)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Where the instance sends mail, the link is mailed to the address of the account and not shown. Otherwise it is answered, to be handed to its owner. It works for an hour.";
    administers(op, "makePasswordLink", "Make a link to a new password", description)
}
