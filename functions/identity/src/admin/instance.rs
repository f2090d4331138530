//! `GET /admin`: how the instance does.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::administration::Instance;
use svc_app::{App, administration};
use svc_http::{ApiResult, Caller, Json};
use svc_present::administration as view;

use super::{administers, by};

pub(crate) async fn handler(State(app): State<Arc<App>>, caller: Caller) -> ApiResult<Json<Instance>> {
    Ok(Json(view::instance(administration::overview(&app, by(&caller)).await?)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Store, mail, background messages that failed, storage, and runners by version.";
    administers(op, "getInstance", "See how the instance does", description)
}
