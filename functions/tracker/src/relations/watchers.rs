//! `GET /orgs/{slug}/items/{key}/watchers`: who watches an item.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::Actor;
use svc_app::App;
use svc_app::tracker::watchers;
use svc_http::doc::operation;
use svc_http::paths::ItemPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
) -> ApiResult<Json<Vec<Actor>>> {
    let watchers = watchers::list(&app, caller.at(&path.slug), &path.key).await?;
    Ok(Json(watchers.iter().map(view::actor).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(op, "listWatchers", "Items", "List watchers", "By name.")
}
