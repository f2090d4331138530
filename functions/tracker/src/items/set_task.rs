//! `POST /orgs/{slug}/items/{key}/tasks/{number}`: ticks the box of a task in the description, or empties it.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Deserialize;
use svc_api::rendered::SetTask;
use svc_api::tracker::Item;
use svc_app::App;
use svc_app::tracker::items;
use svc_domain::ids::{ItemKey, OrgSlug};
use svc_http::doc::operation;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::render::with_task;
use svc_present::tracker::view;

/// `/orgs/{slug}/items/{key}/tasks/{number}`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(crate) struct TaskPath {
    /// Slug of the organization.
    #[schemars(with = "String")]
    slug: OrgSlug,
    /// Key of the item, such as `PRJ-12`.
    #[schemars(with = "String")]
    key: ItemKey,
    /// Number of the box: `data-task` of the rendered description.
    number: usize,
}

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<TaskPath>,
    Body(SetTask { version, done }): Body<SetTask>,
) -> ApiResult<Json<Item>> {
    let rule = |body| with_task(body, path.number, done);
    let item = items::rewrite(&app, caller.at(&path.slug), &path.key, version, rule).await?;
    Ok(Json(view::item(item)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "setItemTask",
        "Items",
        "Tick a task in a description",
        "The boxes of task lists are counted from 0; in the rendered description each has its number in `data-task`. \
         Changes the description as an edit does, under the same version.",
    )
}
