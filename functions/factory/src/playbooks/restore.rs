//! `POST …/playbooks/{id}/restore`: restores a deleted playbook.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::Playbook;
use svc_app::App;
use svc_app::factory::playbooks;
use svc_domain::ids::PlaybookId;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectIdPath;
use svc_http::problems::{ALREADY_EXISTS, DELETED};
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::factory::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectIdPath<PlaybookId>>,
) -> ApiResult<Json<Playbook>> {
    let playbook = playbooks::restore(&app, caller.at(&path.slug), &path.key, path.id).await?;
    Ok(Json(view::playbook(playbook)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS, DELETED]);
    operation(
        op,
        "restorePlaybook",
        "Playbooks",
        "Restore a playbook",
        "For Admins of the project, for 30 days. Its page is restored too. If the workflow no longer has its success \
        or failure state, that setting is cleared. If another playbook has taken its name, or another page its \
        page's path, rename or delete that one first. Restoring it again changes nothing.",
    )
}
