//! `DELETE …/runners/{id}`: deletes a runner.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::App;
use svc_app::factory::runners;
use svc_domain::identity::Scope;
use svc_domain::ids::RunnerId;
use svc_http::doc::{operation, scope};
use svc_http::paths::OrgIdPath;
use svc_http::{ApiResult, Caller, NoContent, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<RunnerId>>,
) -> ApiResult<NoContent> {
    runners::delete(&app, caller.at(&path.slug), path.id).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    operation(
        op,
        "deleteRunner",
        "Runners",
        "Delete a runner",
        "For Owners and Admins. Requests with its secret answer 401 at once; runs that waited for this runner go to \
        any runner.",
    )
}
