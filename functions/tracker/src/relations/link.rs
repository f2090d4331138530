//! `POST /orgs/{slug}/items/{key}/links`: links a pull request, or another item.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Item, NewLink};
use svc_app::App;
use svc_app::tracker::{item_links, links};
use svc_http::doc::operation;
use svc_http::paths::ItemPath;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::tracker::read::{LinkTo, new_link};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Body(new): Body<NewLink>,
) -> ApiResult<Json<Item>> {
    let (caller, key) = (caller.at(&path.slug), &path.key);
    let item = match new_link(new)? {
        LinkTo::PullRequest(url) => links::add(&app, caller, key, &url).await?,
        LinkTo::Item(kind, other) => item_links::add(&app, caller, key, kind, &other).await?,
    };
    Ok(Json(view::item(item)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "linkPullRequest",
        "Items",
        "Link a pull request or another item",
        "Answers the item. Give `url` for a pull request, or `type` and `item` for another item of the organization, in \
         whose project you must be able to work too. Both items show the link and their versions rise. An item is \
         `blocked` while an item that blocks it is open, that is, in a state of the group `backlog` or `active`; \
         items cannot block each other in a circle. An item can have at most 30 links to other items. Repeating a \
         link changes nothing, so no version is needed.",
    )
}
