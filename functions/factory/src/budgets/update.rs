//! `PATCH …/budgets`: changes a budget.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{Budgets, UpdateBudget};
use svc_app::App;
use svc_app::factory::budgets;
use svc_domain::identity::Scope;
use svc_http::doc::{operation, refuses, scope};
use svc_http::paths::OrgPath;
use svc_http::problems::STALE_VERSION;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::factory::budgets as present;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Body(change): Body<UpdateBudget>,
) -> ApiResult<Json<Budgets>> {
    let changed = budgets::update(&app, caller.at(&path.slug), &present::edit(change)).await?;
    Ok(Json(present::view(changed)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "For Owners and Admins. Absent limits stay as they are. New limits apply to runs that begin \
    from now on; runs that have begun keep the limits that they began with.";
    let op = refuses(op, &[STALE_VERSION]);
    let op = scope(op, Some(Scope::Admin));
    operation(op, "updateBudget", "Runs", "Change a budget", description)
}
