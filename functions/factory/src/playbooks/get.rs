//! `GET …/playbooks/{id}`: a playbook.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::Playbook;
use svc_app::App;
use svc_app::factory::playbooks;
use svc_domain::ids::PlaybookId;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectIdPath;
use svc_http::problems::{DELETED, FACTORY_NOT_PERMITTED};
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::factory::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectIdPath<PlaybookId>>,
) -> ApiResult<Json<Playbook>> {
    let playbook = playbooks::view(&app, caller.at(&path.slug), &path.key, path.id).await?;
    Ok(Json(view::playbook(playbook)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[DELETED, FACTORY_NOT_PERMITTED]);
    operation(
        op,
        "getPlaybook",
        "Playbooks",
        "View a playbook",
        "For factory operators and Admins of the project. Only factory operators get the instructions, \
         because only they may read the wiki's Factory section.",
    )
}
