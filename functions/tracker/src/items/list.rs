//! `GET …/projects/{key}/items`: one page of a project's items.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{ItemList, ItemQuery};
use svc_app::App;
use svc_app::tracker::list::{self, ListItems, ListedItem};
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Caller, Json, Paging, Path, Query};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Query(query): Query<ItemQuery>,
) -> ApiResult<Json<ItemList<view::ListEntry>>> {
    let paging = Paging::clamp(query.page, query.page_size);
    let wanted = ListItems {
        filter: query.filter,
        q: query.q,
        sort: query.sort,
        time_zone: query.time_zone,
        page: paging.page,
        page_size: paging.page_size,
    };
    let show = |listed: ListedItem<'_>| view::listed(&path.key, listed);
    let found = list::items(&app, caller.at(&path.slug), &path.key, &wanted, show).await?;
    let items = found.list.items.into_iter().map(view::ListEntry).collect();
    let (page, time_zone) = (paging.of(items, found.list.total), found.list.time_zone);
    let runs = found.runs.into_iter().map(svc_present::factory::view::run).collect();
    Ok(Json(ItemList { page, can: view::can(found.can), runs, time_zone }))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "listItems",
        "Items",
        "List items",
        "Filter terms are separated by spaces, and all must match: `state:active`, `type:bug`, \
         `priority:>=high`, `assignee:@me`, `label:a,b` (any) or `label:a+b` (all), `-label:c`, \
         `blocked:true`, `estimate:>4`, `remaining:none`, `claimed:@agent`, `due:<=friday`, `watching:@me`, \
         `milestone:\"First beta\"`, `text:login`, `title:login`, `commented:@me`, `project:WEB`, `has:link` and more. People \
         are named by name, address (of those whose addresses the caller may see) or id. \
         Days (`due`, `created`, `updated`, `resolved`) are `2026-01-31`, `today`, `yesterday`, `tomorrow`, `-7d`, `+2w`, `+1m` \
         or a day of the week: the next one for `due` and the last one otherwise, today included; for what is past also an age, \
         as in `updated:<7d`. They are days of `timeZone`, else of the account's time zone, and the answer says which. \
         `q` searches keys, titles, labels and descriptions, and ignores case \
         and accents. It looks at the 300 likeliest descriptions, and finds a new one after a few seconds. Entries \
         are items with an empty `body`: view an item to read its description.",
    )
}
