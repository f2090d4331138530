//! `GET …/rules`: the rules of a project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::Rule;
use svc_app::App;
use svc_app::factory::rules;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectPath;
use svc_http::problems::FACTORY_NOT_PERMITTED;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::factory::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
) -> ApiResult<Json<Vec<Rule>>> {
    let rules = rules::list(&app, caller.at(&path.slug), &path.key).await?;
    Ok(Json(rules.into_iter().map(view::rule).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FACTORY_NOT_PERMITTED]);
    operation(
        op,
        "listRules",
        "Rules",
        "List rules",
        "Oldest first. For factory operators and Admins of the project.",
    )
}
