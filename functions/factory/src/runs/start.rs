//! `POST …/items/{key}/runs`: hands an item to an agent.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{Run, StartRun};
use svc_app::{App, factory};
use svc_http::doc::{operation, refuses};
use svc_http::paths::ItemPath;
use svc_http::problems::{FACTORY_NOT_PERMITTED, ITEM_CLAIMED, LIVE_RUN};
use svc_http::{ApiResult, Body, Caller, CreatedAt, Path};
use svc_present::factory::read;

use super::created;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Body(start): Body<StartRun>,
) -> ApiResult<CreatedAt<Run>> {
    let start = read::start_run(start)?;
    let run = factory::start(&app, caller.at(&path.slug), &path.key, &start).await?;
    Ok(created(run))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FACTORY_NOT_PERMITTED, ITEM_CLAIMED, LIVE_RUN]);
    operation(
        op,
        "startRun",
        "Runs",
        "Start a run",
        "For factory operators; others get 403 `factory-not-permitted`. 409 while the item is claimed or has a live \
         run. Name playbook, agent and runner by id or by name, in any case. `harness` replaces the playbook's \
         harness, also for retries and follow-ups of the run. With `scheduledFor`, a time in the \
         future, the run waits until then and claims the item at once.",
    )
}
