//! `POST /admin/accounts/{id}/enable`: lets a disabled account sign in again.

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
    Ok(Json(view::account(administration::enable_account(&app, by(&caller), path.id).await?)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Lets a disabled account sign in again. Sessions and access tokens do not come back. Repeating it changes nothing.";
    administers(op, "enableAccount", "Enable an account", description)
}
