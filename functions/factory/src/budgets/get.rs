//! `GET …/budgets`: the budgets of an organization, and what is used of them.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::Budgets;
use svc_app::App;
use svc_app::factory::budgets;
use svc_http::doc::{operation, refuses};
use svc_http::paths::OrgPath;
use svc_http::problems::FACTORY_NOT_PERMITTED;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::factory::budgets as present;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
) -> ApiResult<Json<Budgets>> {
    Ok(Json(present::view(budgets::view(&app, caller.at(&path.slug)).await?)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "For factory operators, Owners and Admins. A run that would exceed a budget waits in the queue and says so. \
         A run that exceeds a limit per run is stopped: it fails with `budget-exceeded`.";
    let op = refuses(op, &[FACTORY_NOT_PERMITTED]);
    operation(op, "getBudgets", "Runs", "View budgets", description)
}
