//! `POST /orgs/{slug}/items/{key}/links`: links a pull request.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Item, NewLink};
use svc_app::App;
use svc_app::tracker::links;
use svc_http::doc::operation;
use svc_http::paths::ItemPath;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Body(new): Body<NewLink>,
) -> ApiResult<Json<Item>> {
    let item = links::add(&app, caller.at(&path.slug), &path.key, &new.url).await?;
    Ok(Json(view::item(item)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "linkPullRequest",
        "Items",
        "Link a pull request",
        "Answers the item. Linking the same address again changes nothing, so no version is needed.",
    )
}
