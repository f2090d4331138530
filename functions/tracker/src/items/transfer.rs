//! `POST /orgs/{slug}/items/{key}/transfer`: moves an item to another project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Item, TransferItem};
use svc_app::App;
use svc_app::tracker::transfer::transfer;
use svc_domain::transfer::Along;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ItemPath;
use svc_http::problems::{ITEM_CLAIMED, LIVE_RUN};
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::tracker::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Body(wanted): Body<TransferItem>,
) -> ApiResult<Json<Item>> {
    let project = read::target_project(&wanted.project)?;
    let along = if wanted.with_children == Some(false) { Along::Subtasks } else { Along::All };
    let item = transfer(&app, caller.at(&path.slug), &path.key, (&project, along), wanted.version).await?;
    Ok(Json(view::item(item)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ITEM_CLAIMED, LIVE_RUN]);
    operation(
        op,
        "transferItem",
        "Items",
        "Move an item to another project",
        "For people who may edit items in both projects. The item gets the next key there; every address with the \
        old key answers 308 with the new one. Comments, attachments, history, runs, links and watchers move along. \
        The new state is the one with the same name, else the first in the same group, else the first of the \
        workflow. Sprint, milestone and parent \
         stay in the old project, and the history names them; the assignee is removed if they cannot see the new \
         project. Its children move along with all that is below them, at most 1,000 items; with `withChildren: \
        false` only its subtasks do, and its other children stay without a parent. Many of them follow within seconds: \
        until then each is under its old key. A subtask alone, and an item on which, or on a part of which, somebody \
        else works cannot be moved.",
    )
}
