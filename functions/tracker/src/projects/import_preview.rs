//! `POST …/projects/{key}/import/preview`: says what would come of an export of another tracker.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::App;
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_import::exports::{ExportPreview, ReadExport};

use super::exports::{read, states_for};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Body(wanted): Body<ReadExport>,
) -> ApiResult<Json<ExportPreview>> {
    let states = states_for(&app, caller.at(&path.slug), &path.key).await?;
    let now = app.now();
    Ok(Json(read(move || svc_import::preview(&wanted, &states, now)).await?))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "previewImport",
        "Projects",
        "Preview an import",
        "For Admins of the project. Reads the files that another tracker exported, and says what would come of them: how \
         much there is, which word of the project stands for which of the source, who is named, what would not come, and \
         the first items. Writes nothing and keeps no file. Send the same with a `mapping` of your own to see it anew.",
    )
}
