//! `DELETE /orgs/{slug}/items/{key}/links?url=…`, or `?type=…&item=…`, or `?hidden=true`: takes a link away.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Item, LinkQuery};
use svc_app::App;
use svc_app::tracker::{item_links, links};
use svc_http::doc::operation;
use svc_http::paths::ItemPath;
use svc_http::{ApiResult, Caller, Json, Path, Query};
use svc_present::tracker::read::{LinkTo, Unlink, link_query};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Query(query): Query<LinkQuery>,
) -> ApiResult<Json<Item>> {
    let (caller, key) = (caller.at(&path.slug), &path.key);
    let item = match link_query(query)? {
        Unlink::One(LinkTo::PullRequest(url)) => links::remove(&app, caller, key, &url).await?,
        Unlink::Hidden => item_links::remove_hidden(&app, caller, key).await?,
        Unlink::One(LinkTo::Item(kind, other)) => item_links::remove(&app, caller, key, kind, &other).await?,
    };
    Ok(Json(view::item(item)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "unlinkPullRequest",
        "Items",
        "Remove a link",
        "Answers the item. Give `url` for a pull request, or `type` and `item` for another item, which loses the \
        link too. `hidden=true` removes the links to items in projects that you cannot see. Removing a missing link \
        changes nothing.",
    )
}
