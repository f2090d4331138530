//! `POST /orgs/{slug}/items/{key}/subtasks`: creates a subtask of an item.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Item, NewSubtask};
use svc_app::App;
use svc_app::tracker::items;
use svc_http::doc::operation;
use svc_http::paths::ItemPath;
use svc_http::{ApiResult, Body, Caller, CreatedAt, Path};
use svc_present::tracker::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Body(new): Body<NewSubtask>,
) -> ApiResult<CreatedAt<Item>> {
    let new = read::new_subtask(new)?;
    let item = items::create_under(&app, caller.at(&path.slug), &path.key, &new).await?;
    let item = view::item(item);
    Ok(CreatedAt(format!("/orgs/{}/items/{}", path.slug, item.key), item))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "createSubtask",
        "Items",
        "Create a subtask",
        "For everyone in the project except Guests. A subtask needs an estimate, never changes its parent, starts \
         in the first state of the workflow, and cannot have subtasks of its own.",
    )
}
