//! `PATCH …/playbooks/{id}`: changes a playbook.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{Playbook, UpdatePlaybook};
use svc_app::App;
use svc_app::factory::playbooks;
use svc_domain::ids::PlaybookId;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectIdPath;
use svc_http::problems::DELETED;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::factory::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectIdPath<PlaybookId>>,
    Body(change): Body<UpdatePlaybook>,
) -> ApiResult<Json<Playbook>> {
    let edit = read::playbook_edit(change)?;
    let caller = caller.at(&path.slug);
    let playbook = playbooks::update(&app, caller, &path.key, path.id, &edit).await?;
    Ok(Json(view::playbook(playbook)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[DELETED]);
    operation(
        op,
        "updatePlaybook",
        "Playbooks",
        "Change a playbook",
        "For Admins of the project. New instructions become a new version of the page. Runs that are already queued \
         keep the instructions they were queued with.",
    )
}
