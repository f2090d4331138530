//! `POST …/playbooks`: creates a playbook.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{NewPlaybook, Playbook};
use svc_app::App;
use svc_app::factory::playbooks;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectPath;
use svc_http::problems::ALREADY_EXISTS;
use svc_http::{ApiResult, Body, Caller, CreatedAt, Path};
use svc_present::factory::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Body(new): Body<NewPlaybook>,
) -> ApiResult<CreatedAt<Playbook>> {
    let new = read::new_playbook(new)?;
    let playbook = playbooks::create(&app, caller.at(&path.slug), &path.key, &new).await?;
    let playbook = view::playbook(playbook);
    Ok(CreatedAt(format!("/orgs/{}/projects/{}/playbooks/{}", path.slug, path.key, playbook.id), playbook))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS]);
    operation(
        op,
        "createPlaybook",
        "Playbooks",
        "Create a playbook",
        "For Admins of the project. The instructions become the page `Factory/<name>` of the wiki.",
    )
}
