//! `GET …/items/{key}/runs`: the runs of an item.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::Page;
use svc_api::factory::Run;
use svc_api::page::PageQuery;
use svc_app::App;
use svc_app::factory::runs;
use svc_http::doc::operation;
use svc_http::paths::ItemPath;
use svc_http::{ApiResult, Caller, Json, Paging, Path, Query};
use svc_present::factory::view;

use super::slice;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Query(query): Query<PageQuery>,
) -> ApiResult<Json<Page<Run>>> {
    let paging = Paging::from(query);
    let (runs, total) = runs::list_of_item(&app, caller.at(&path.slug), &path.key, slice(paging)).await?;
    Ok(Json(paging.of(runs.into_iter().map(view::run).collect(), total)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(op, "listItemRuns", "Runs", "List the runs of an item", "Newest first.")
}
