//! `GET …/runs/{id}/artifacts`: the files that the agent of a run left for people.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::RunArtifact;
use svc_app::App;
use svc_app::factory::artifacts;
use svc_http::doc::{operation, refuses};
use svc_http::problems::FACTORY_NOT_PERMITTED;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::factory::view;

use super::RunAddress;

pub(crate) async fn handler<P: RunAddress>(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<P>,
) -> ApiResult<Json<Vec<RunArtifact>>> {
    let files = artifacts::list(&app, caller.credential(), path.org(), path.run()).await?;
    Ok(Json(files.iter().map(view::artifact).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FACTORY_NOT_PERMITTED]);
    operation(
        op,
        "listRunArtifacts",
        "Runs",
        "List the artifacts of a run",
        "Test reports and pictures that the agent left for people, by name: at most 25 files and 25 MiB. For factory \
         operators; others who see the item get 403. The runner sends them at the end of the run.",
    )
}
