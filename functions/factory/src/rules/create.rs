//! `POST …/rules`: makes a rule.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{NewRule, Rule};
use svc_app::App;
use svc_app::factory::rules;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectPath;
use svc_http::problems::CONFLICT;
use svc_http::{ApiResult, Body, Caller, Created, Path};
use svc_present::factory::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Body(new): Body<NewRule>,
) -> ApiResult<Created<Rule>> {
    let new = read::new_rule(new);
    let rule = rules::create(&app, caller.at(&path.slug), &path.key, &new).await?;
    Ok(Created(view::rule(rule)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[CONFLICT]);
    operation(
        op,
        "createRule",
        "Rules",
        "Create a rule",
        "For Admins of the project. When an item enters the state, and has the label if the rule names one, a run is \
        queued with the rights that the caller has at that time. A rule never starts a playbook that ran earlier in \
        the same chain \
         of runs.",
    )
}
