//! `POST …/projects/{key}/import`: brings records into a project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::records::{ImportRecords, Imported};
use svc_app::App;
use svc_app::tracker::project_import;
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::tracker::records;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Body(wanted): Body<ImportRecords>,
) -> ApiResult<Json<Imported>> {
    let import = records::import(wanted)?;
    let outcome = project_import::import(&app, caller.at(&path.slug), &path.key, &import).await?;
    Ok(Json(records::imported(outcome)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "importRecords",
        "Projects",
        "Import records",
        "For Admins of the project. Brings up to 200 records from elsewhere into it. A record that came before, by \
         source, kind and id, does not come again, so a request may be repeated. Items and comments keep their times. \
         Owners and Admins of the organization have persons found among the members by their addresses; other persons \
         are named in the text. Nobody is notified, and no rule, mention or agent begins by it. What cannot come is in \
         `skipped`, with the reason.",
    )
}
