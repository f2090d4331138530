//! `POST /admin/accounts/{id}/disable`: keeps an account from signing in.

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
    Ok(Json(view::account(administration::disable_account(&app, by(&caller), path.id).await?)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Ends all its sessions and access tokens at once and keeps it from opening others. Its memberships stay, its rules and schedules act no more, and runs that it started go on. Repeating it changes nothing.";
    administers(op, "disableAccount", "Disable an account", description)
}
