//! `GET …/runs/{id}/changes`: what a run changed.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{ChangesQuery, RunChanges};
use svc_app::App;
use svc_app::factory::changes;
use svc_http::doc::{operation, refuses};
use svc_http::problems::FACTORY_NOT_PERMITTED;
use svc_http::{ApiResult, Caller, Json, Path, Query};
use svc_present::factory::view;

use super::RunAddress;

pub(crate) async fn handler<P: RunAddress>(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<P>,
    Query(query): Query<ChangesQuery>,
) -> ApiResult<Json<RunChanges>> {
    let changed = changes::read(&app, caller.credential(), path.org(), path.run()).await?;
    Ok(Json(view::changes(changed, query.patch.unwrap_or(true))))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FACTORY_NOT_PERMITTED]);
    operation(
        op,
        "getRunChanges",
        "Runs",
        "View a run's changes",
        "Commits, changed files and the patch, for factory operators; others who see the item get 403. Empty until \
        the runner reports them at the end of the run, and if the run changed nothing. `patch=false` leaves out the \
        patch.",
    )
}
