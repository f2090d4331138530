//! `PATCH …/refinement-settings`: changes the refinement settings of a project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{RefinementSettings, UpdateRefinementSettings};
use svc_app::App;
use svc_app::factory::refinement_settings;
use svc_domain::refinement::RefinementEdit;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectPath;
use svc_http::problems::FACTORY_NOT_PERMITTED;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::factory::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Body(change): Body<UpdateRefinementSettings>,
) -> ApiResult<Json<RefinementSettings>> {
    let edit = RefinementEdit {
        version: change.version,
        product_description: change.product_description.into_option(),
        ticket_instructions: change.ticket_instructions.into_option(),
        naming_conventions: change.naming_conventions.into_option(),
        platforms: change.platforms.into_option(),
        refined_state: change.refined_state.into_option(),
    };
    let caller = caller.at(&path.slug);
    let settings = refinement_settings::update(&app, caller, &path.key, &edit).await?;
    Ok(Json(view::refinement_settings(settings)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FACTORY_NOT_PERMITTED]);
    operation(
        op,
        "updateRefinementSettings",
        "Factory settings",
        "Change refinement settings",
        "For factory operators of the project. When the state is renamed, the setting follows. A text of only \
         spaces counts as empty.",
    )
}
