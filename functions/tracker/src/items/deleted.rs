//! `GET …/projects/{key}/deleted-items`: the deleted items.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::DeletedItem;
use svc_app::App;
use svc_app::tracker::deletion;
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
) -> ApiResult<Json<Vec<DeletedItem>>> {
    let deleted = deletion::list(&app, caller.at(&path.slug), &path.key).await?;
    Ok(Json(deleted.into_iter().filter_map(view::deleted_item).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "listDeletedItems",
        "Items",
        "List deleted items",
        "The items that you can restore, last deleted first; at most 1,000.",
    )
}
