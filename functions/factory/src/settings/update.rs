//! `PATCH …/factory-settings`: changes the factory settings of a project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{FactorySettings, UpdateFactorySettings};
use svc_app::App;
use svc_app::factory::project_settings;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectPath;
use svc_http::problems::{CONFLICT, UNAVAILABLE};
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::factory::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Body(change): Body<UpdateFactorySettings>,
) -> ApiResult<Json<FactorySettings>> {
    let edit = read::settings_edit(change)?;
    let settings = project_settings::update(&app, caller.at(&path.slug), &path.key, &edit).await?;
    Ok(Json(view::settings(settings)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[CONFLICT, UNAVAILABLE]);
    operation(
        op,
        "updateFactorySettings",
        "Factory settings",
        "Change factory settings",
        "For Admins of the project. With `repositorySource: codeHost`, runs clone `repository`, which the \
         organization's connection with the code host must cover (503 while the host does not answer). \
         Otherwise they work from a clone on the runner's machine.",
    )
}
