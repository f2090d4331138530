//! `GET …/playbooks`: the playbooks of a project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::deletion::DeletedQuery;
use svc_api::factory::Playbook;
use svc_app::App;
use svc_app::factory::playbooks;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectPath;
use svc_http::problems::FACTORY_NOT_PERMITTED;
use svc_http::{ApiResult, Caller, Json, Path, Query};
use svc_present::factory::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Query(query): Query<DeletedQuery>,
) -> ApiResult<Json<Vec<Playbook>>> {
    let deleted = query.deleted.unwrap_or(false);
    let playbooks = playbooks::list(&app, caller.at(&path.slug), &path.key, deleted).await?;
    Ok(Json(playbooks.into_iter().map(view::playbook).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FACTORY_NOT_PERMITTED]);
    operation(
        op,
        "listPlaybooks",
        "Playbooks",
        "List playbooks",
        "Oldest first, without their instructions: view one to read them. For factory operators and Admins of \
         the project.",
    )
}
