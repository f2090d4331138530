//! `DELETE …/playbooks/{id}`: deletes a playbook.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::App;
use svc_app::factory::playbooks;
use svc_domain::ids::PlaybookId;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectIdPath;
use svc_http::problems::CONFLICT;
use svc_http::{ApiResult, Caller, NoContent, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectIdPath<PlaybookId>>,
) -> ApiResult<NoContent> {
    playbooks::delete(&app, caller.at(&path.slug), &path.key, path.id).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[CONFLICT]);
    operation(
        op,
        "deletePlaybook",
        "Playbooks",
        "Delete a playbook",
        "For Admins of the project. The page with its instructions is deleted too. No new runs start with it; queued \
        and running ones keep the instructions that they were queued with. It can be restored for 30 days. Deleting \
         it again changes nothing.",
    )
}
