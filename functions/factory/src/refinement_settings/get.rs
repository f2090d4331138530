//! `GET …/refinement-settings`: the refinement settings of a project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::RefinementSettings;
use svc_app::App;
use svc_app::factory::refinement_settings;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectPath;
use svc_http::problems::FACTORY_NOT_PERMITTED;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::factory::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
) -> ApiResult<Json<RefinementSettings>> {
    let settings = refinement_settings::get(&app, caller.at(&path.slug), &path.key).await?;
    Ok(Json(view::refinement_settings(settings)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FACTORY_NOT_PERMITTED]);
    operation(
        op,
        "getRefinementSettings",
        "Factory settings",
        "View refinement settings",
        "The instructions for agents that refine the project's tickets, and the state of a confirmed ticket. \
         For factory operators. Version 0 means that nothing has been set.",
    )
}
