//! `PATCH …/projects/{key}/templates/{id}`: changes a ticket template.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Template, UpdateTemplate};
use svc_app::App;
use svc_app::tracker::templates;
use svc_domain::ids::TemplateId;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectIdPath;
use svc_http::problems::ALREADY_EXISTS;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::tracker::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectIdPath<TemplateId>>,
    Body(update): Body<UpdateTemplate>,
) -> ApiResult<Json<Template>> {
    let update = read::update_template(update)?;
    let caller = caller.at(&path.slug);
    let template = templates::update(&app, caller, &path.key, path.id, &update).await?;
    Ok(Json(view::template(template)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS]);
    operation(
        op,
        "updateTemplate",
        "Projects",
        "Change a ticket template",
        "For Admins of the project, built-in templates included.",
    )
}
