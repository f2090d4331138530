//! `POST /orgs/{slug}/items/{key}/transfer`: moves an item to another project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Item, TransferItem};
use svc_app::App;
use svc_app::tracker::transfer::transfer;
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
    let item = transfer(&app, caller.at(&path.slug), &path.key, &project, wanted.version).await?;
    Ok(Json(view::item(item)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ITEM_CLAIMED, LIVE_RUN]);
    operation(
        op,
        "transferItem",
        "Items",
        "Move an item to another project",
        "For people who may edit items in both. The item gets the next key there; every address of the old key answers \
         308 with the new one. Comments, attachments, history, runs, links and watchers go along. The state is the \
         one of the same name, else the first of the same group, else the first. Sprint, milestone and parent \
         stay in the old project, and the history names them; the assignee is dropped if they do not see the project. Up to 5 subtasks go along. A subtask by itself, an item that \
         others belong to, and one that somebody else works on are refused.",
    )
}
