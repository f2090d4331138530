//! `GET …/runners`: the runners of an organization.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::Runner;
use svc_app::App;
use svc_app::factory::runners;
use svc_http::doc::{operation, refuses};
use svc_http::paths::OrgPath;
use svc_http::problems::FACTORY_NOT_PERMITTED;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::factory::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
) -> ApiResult<Json<Vec<Runner>>> {
    let runners = runners::list(&app, caller.at(&path.slug)).await?;
    Ok(Json(runners.into_iter().map(view::runner).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FACTORY_NOT_PERMITTED]);
    operation(
        op,
        "listRunners",
        "Runners",
        "List runners",
        "For factory operators. A runner is online if it sent a request within the last minute.",
    )
}
