//! `POST /runner/runs/{id}/credential`: a new credential for a run's repository at the code host.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::runner::{Fenced, RepositoryCredential};
use svc_app::App;
use svc_app::factory::credential;
use svc_http::doc::{operation, refuses};
use svc_http::paths::RunPath;
use svc_http::problems::{ASSIGNMENT_ENDED, CONFLICT, UNAVAILABLE};
use svc_http::{ApiResult, Body, Caller, Json, Path, Reply, kept_by_nobody};
use svc_present::runner::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<RunPath>,
    Body(body): Body<Fenced>,
) -> ApiResult<Reply<Json<RepositoryCredential>>> {
    let minted = credential::credential(&app, caller.credential(), path.id, body.fence).await?;
    Ok(Reply { body: Json(view::credential(minted)), headers: vec![kept_by_nobody()] })
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ASSIGNMENT_ENDED, CONFLICT, UNAVAILABLE]);
    operation(
        op,
        "getRunCredential",
        "Runner",
        "Get a credential for the run's repository",
        "For a run whose repository is at the code host. The credential is for this repository only and \
         lasts about an hour; get another one before it expires. Answers 409 if the host refuses, 503 while \
         it does not answer.",
    )
}
