//! `PATCH …/projects/{key}/labels/{name}`: changes, renames or merges a label.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Label, UpdateLabel};
use svc_app::App;
use svc_app::tracker::labels;
use svc_http::doc::{operation, refuses};
use svc_http::paths::LabelPath;
use svc_http::problems::ALREADY_EXISTS;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<LabelPath>,
    Body(update): Body<UpdateLabel>,
) -> ApiResult<Json<Label>> {
    let UpdateLabel { version, name, color, description, merge } = update;
    let update = labels::UpdateLabel { version, name, color, description, merge };
    let caller = caller.at(&path.slug);
    let label = labels::update(&app, caller, &path.key, &path.name, &update).await?;
    Ok(Json(view::label(label)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS]);
    operation(
        op,
        "updateLabel",
        "Projects",
        "Change, rename or merge a label",
        "For Admins of the project. Renaming changes every item that carries the label, with a history entry each; \
         in a large project some items follow a few seconds later. To rename to an existing label, set `merge`: \
         both become one.",
    )
}
