//! `DELETE …/projects/{key}/templates/{id}`: deletes a ticket template.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::App;
use svc_app::tracker::templates;
use svc_domain::ids::TemplateId;
use svc_http::doc::operation;
use svc_http::paths::ProjectIdPath;
use svc_http::{ApiResult, Caller, NoContent, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectIdPath<TemplateId>>,
) -> ApiResult<NoContent> {
    templates::delete(&app, caller.at(&path.slug), &path.key, path.id).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "deleteTemplate",
        "Projects",
        "Delete a ticket template",
        "For Admins of the project, built-in templates included. A deleted template stays deleted; items made from \
         it keep their text.",
    )
}
