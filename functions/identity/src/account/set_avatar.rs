//! `PUT /me/avatar`: a picture of the caller.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::Me;
use svc_app::{App, identity};
use svc_domain::identity::Scope;
use svc_http::content::Upload;
use svc_http::doc::{operation, scope};
use svc_http::{ApiResult, Caller, Json};
use svc_present::identity::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    upload: Upload,
) -> ApiResult<Json<Me>> {
    let me = identity::set_avatar(&app, caller.credential(), upload.bytes).await?;
    Ok(Json(view::me(me)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    let description = "The bytes of a PNG, JPEG, GIF or WebP image of at most 5 MiB. It is cropped and \
         scaled to 256 by 256 pixels and re-encoded without the camera's metadata. Each picture has its \
         own key, `avatarKey`. Needs the scope `admin`; a token bound to an organization gets 403.";
    operation(op, "setAvatar", "Account", "Set the picture", description)
}
