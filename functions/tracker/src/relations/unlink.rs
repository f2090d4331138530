//! `DELETE /orgs/{slug}/items/{key}/links?url=…`: takes a link away.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Item, LinkQuery};
use svc_app::App;
use svc_app::tracker::links;
use svc_http::doc::operation;
use svc_http::paths::ItemPath;
use svc_http::{ApiResult, Caller, Json, Path, Query};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Query(query): Query<LinkQuery>,
) -> ApiResult<Json<Item>> {
    let item = links::remove(&app, caller.at(&path.slug), &path.key, &query.url).await?;
    Ok(Json(view::item(item)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "unlinkPullRequest",
        "Items",
        "Remove the link to a pull request",
        "Answers the item. Removing a link that is not there changes nothing.",
    )
}
