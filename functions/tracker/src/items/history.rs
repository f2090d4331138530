//! `GET /orgs/{slug}/items/{key}/history`: what happened to an item.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::Page;
use svc_api::page::PageQuery;
use svc_api::tracker::HistoryEntry;
use svc_app::App;
use svc_app::tracker::history;
use svc_http::doc::operation;
use svc_http::paths::ItemPath;
use svc_http::{ApiResult, Caller, Json, Paging, Path, Query};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Query(query): Query<PageQuery>,
) -> ApiResult<Json<Page<HistoryEntry>>> {
    let paging = Paging::from(query);
    let slice = (paging.offset(), paging.page_size as usize);
    let (lines, total) = history::list(&app, caller.at(&path.slug), &path.key, slice).await?;
    Ok(Json(paging.of(lines.into_iter().map(view::history).collect(), total)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(op, "listItemHistory", "Items", "View an item's history", "Newest first.")
}
