//! `GET …/projects/{key}/items/counts`: how many items of a project match.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{ItemCountQuery, ItemCounts};
use svc_app::App;
use svc_app::tracker::list::ListItems;
use svc_app::tracker::org_list;
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Caller, Json, Path, Query};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Query(query): Query<ItemCountQuery>,
) -> ApiResult<Json<ItemCounts>> {
    let ItemCountQuery { filter, q, by, time_zone } = query;
    let wanted = ListItems { filter, q, time_zone, ..ListItems::default() };
    let caller = caller.at(&path.slug);
    let counts = org_list::counts_of_project(&app, caller, &path.key, &wanted, by.as_deref()).await?;
    Ok(Json(view::counts(counts)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "countItems",
        "Items",
        "Count items",
        "How many items match a filter, in total and by state, or by the field that `by` names.",
    )
}
