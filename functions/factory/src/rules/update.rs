//! `PATCH …/rules/{id}`: changes a rule.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{Rule, UpdateRule};
use svc_app::App;
use svc_app::factory::rules;
use svc_domain::ids::RuleId;
use svc_http::doc::operation;
use svc_http::paths::ProjectIdPath;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::factory::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectIdPath<RuleId>>,
    Body(change): Body<UpdateRule>,
) -> ApiResult<Json<Rule>> {
    let edit = read::rule_edit(change);
    let rule = rules::update(&app, caller.at(&path.slug), &path.key, path.id, &edit).await?;
    Ok(Json(view::rule(rule)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "updateRule",
        "Rules",
        "Change a rule",
        "For Admins of the project. Its runs then start with the caller's rights.",
    )
}
