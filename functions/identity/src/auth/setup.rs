//! `GET /auth/setup`: whether the instance still needs its first account.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::SetupStatus;
use svc_app::{App, identity};
use svc_http::doc::operation;
use svc_http::{ApiResult, Json};

pub(crate) async fn handler(State(app): State<Arc<App>>) -> ApiResult<Json<SetupStatus>> {
    let needed = identity::setup_needed(&app).await?;
    let provider = identity::provider(&app).map(str::to_owned);
    Ok(Json(SetupStatus { needed, provider }))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Says whether the instance still needs its first account, and names the identity \
         provider if there is one. Needs no credential.";
    operation(op, "getSetup", "Sign-in", "View the set-up state", description)
}
