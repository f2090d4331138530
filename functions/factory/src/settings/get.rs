//! `GET …/factory-settings`: the factory settings of a project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::FactorySettings;
use svc_app::App;
use svc_app::factory::project_settings;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectPath;
use svc_http::problems::FACTORY_NOT_PERMITTED;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::factory::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
) -> ApiResult<Json<FactorySettings>> {
    let settings = project_settings::get(&app, caller.at(&path.slug), &path.key).await?;
    Ok(Json(view::settings(settings)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FACTORY_NOT_PERMITTED]);
    operation(
        op,
        "getFactorySettings",
        "Factory settings",
        "View factory settings",
        "For factory operators. Version 0 means that nothing has been set.",
    )
}
