//! `DELETE …/rules/{id}`: deletes a rule.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::App;
use svc_app::factory::rules;
use svc_domain::ids::RuleId;
use svc_http::doc::operation;
use svc_http::paths::ProjectIdPath;
use svc_http::{ApiResult, Caller, NoContent, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectIdPath<RuleId>>,
) -> ApiResult<NoContent> {
    rules::delete(&app, caller.at(&path.slug), &path.key, path.id).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "deleteRule",
        "Rules",
        "Delete a rule",
        "For Admins of the project. Runs that it started continue, and its firings stay on record.",
    )
}
