//! `DELETE /orgs/{slug}/projects/{key}`: deletes a project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::DeleteProjectQuery;
use svc_app::App;
use svc_app::tracker::project_deletion;
use svc_domain::identity::Scope;
use svc_http::doc::{operation, scope};
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Caller, NoContent, Path, Query};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Query(query): Query<DeleteProjectQuery>,
) -> ApiResult<NoContent> {
    let confirmed = query.confirm.unwrap_or_default();
    project_deletion::delete(&app, caller.at(&path.slug), &path.key, &confirmed).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    operation(
        op,
        "deleteProject",
        "Projects",
        "Delete a project",
        "For Owners and Admins of the organization, with the project's key as `confirm`. At once, everything \
        in the project answers 410, and its runs are cancelled. The project can be restored for 30 days; then \
        everything in it is deleted for good. Its key is never reused. Deleting it again changes nothing.",
    )
}
