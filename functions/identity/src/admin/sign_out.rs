//! `POST /admin/accounts/{id}/sign-out`: ends the sessions of an account.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::administration::Account;
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
) -> ApiResult<Json<Account>> {
    Ok(Json(view::account(administration::sign_out_account(&app, by(&caller), path.id).await?)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Ends all its sessions at once. Its access tokens go on working.";
    administers(op, "signOutAccount", "Sign an account out", description)
}
