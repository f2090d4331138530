//! `GET /orgs/{slug}/items`: one page of the items of an organization.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{ItemQuery, OrgItemList};
use svc_app::App;
use svc_app::tracker::list::ListItems;
use svc_app::tracker::org_list;
use svc_http::doc::operation;
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, Json, Paging, Path, Query};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Query(query): Query<ItemQuery>,
) -> ApiResult<Json<OrgItemList<view::ListEntry>>> {
    let paging = Paging::clamp(query.page, query.page_size);
    let wanted = ListItems {
        filter: query.filter,
        q: query.q,
        sort: query.sort,
        time_zone: query.time_zone,
        page: paging.page,
        page_size: paging.page_size,
    };
    let found = org_list::items(&app, caller.at(&path.slug), &wanted, view::listed).await?;
    let time_zone = found.list.time_zone;
    let page = paging.of(found.list.items.into_iter().map(view::ListEntry).collect(), found.list.total);
    let can = found.can.into_iter().map(|(project, can)| (project.to_string(), view::can(can))).collect();
    let runs = found.runs.into_iter().map(svc_present::factory::view::run).collect();
    Ok(Json(OrgItemList { page, can, runs, time_zone }))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "listOrgItems",
        "Items",
        "List items of an organization",
        "Items of every project that the caller sees and that is not archived, with the filters and orders of the \
         list of a project: `filter=assignee:@me -state:closed`. A state that only some projects have matches nothing \
         in the others. Entries have an empty `body`. The list ends after 10,000 items: narrow the filter.",
    )
}
