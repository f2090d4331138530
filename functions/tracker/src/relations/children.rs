//! `GET /orgs/{slug}/items/{key}/subtasks`: the items that belong to an item.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::Page;
use svc_api::page::PageQuery;
use svc_app::App;
use svc_app::tracker::list::{self, ListedItem};
use svc_http::doc::operation;
use svc_http::paths::ItemPath;
use svc_http::{ApiResult, Caller, Json, Paging, Path, Query};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Query(query): Query<PageQuery>,
) -> ApiResult<Json<Page<view::ListEntry>>> {
    let paging = Paging::from(query);
    let show = |listed: ListedItem<'_>| view::listed(&path.key.project, listed);
    let pages = (paging.page, paging.page_size);
    let list = list::children(&app, caller.at(&path.slug), &path.key, pages, show).await?;
    let items = list.items.into_iter().map(view::ListEntry).collect();
    Ok(Json(paging.of(items, list.total)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "listSubtasks",
        "Items",
        "List an item's children",
        "The items of any type whose parent is this item, by key. Entries have an empty `body`.",
    )
}
