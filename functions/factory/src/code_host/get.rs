//! `GET …/code-host`: the organization's connection with the code host.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::CodeHost;
use svc_app::App;
use svc_app::factory::code_host;
use svc_http::doc::operation;
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::factory::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
) -> ApiResult<Json<CodeHost>> {
    let found = code_host::view(&app, caller.at(&path.slug)).await?;
    Ok(Json(view::code_host(found)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "getCodeHost",
        "Code host",
        "View the connection to the code host",
        "For Owners and Admins.",
    )
}
