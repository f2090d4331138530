//! `POST …/projects/{key}/items`: creates an item.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Item, NewItem};
use svc_app::App;
use svc_app::tracker::items;
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Body, Caller, CreatedAt, Path};
use svc_present::tracker::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Body(new): Body<NewItem>,
) -> ApiResult<CreatedAt<Item>> {
    let new = read::new_item(new)?;
    let item = items::create(&app, caller.at(&path.slug), &path.key, &new).await?;
    let item = view::item(item);
    Ok(CreatedAt(format!("/orgs/{}/items/{}", path.slug, item.key), item))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "createItem",
        "Items",
        "Create an item",
        "For everyone in the project except Guests. The item gets the project's next number.",
    )
}
