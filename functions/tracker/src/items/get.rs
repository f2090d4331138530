//! `GET /orgs/{slug}/items/{key}`: an item.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::rendered::{RenderQuery, Rendered};
use svc_api::tracker::Item;
use svc_app::App;
use svc_app::tracker::opened;
use svc_http::doc::operation;
use svc_http::paths::ItemPath;
use svc_http::{ApiResult, Caller, Json, Path, Query};
use svc_present::Renderer;
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Query(query): Query<RenderQuery>,
) -> ApiResult<Json<Rendered<Item>>> {
    let (item, can) = opened::view(&app, caller.at(&path.slug), &path.key).await?;
    let html = Renderer::wanted(&app, caller.at(&path.slug), query).await?.html(&item.item.body).await?;
    let item = Item { can: Some(view::can(can)), ..view::item(item) };
    Ok(Json(Rendered { of: item, html }))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "getItem",
        "Items",
        "View an item",
        "With its description; `render=html` adds it as HTML. An item that the caller cannot see answers 404, as if \
        it did not exist.",
    )
}
