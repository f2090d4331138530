//! `GET /orgs/{slug}/sprints/{id}/taskboard`: a sprint's items by workflow state.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::Taskboard;
use svc_app::App;
use svc_app::tracker::list::ListedItem;
use svc_app::tracker::sprints;
use svc_app::tracker::sprints::SeenSprint;
use svc_domain::ids::SprintId;
use svc_http::doc::operation;
use svc_http::paths::OrgIdPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<SprintId>>,
) -> ApiResult<Json<Taskboard>> {
    let show = |sprint: &SeenSprint, listed: ListedItem<'_>| view::listed_item(&sprint.project, listed);
    let board = sprints::taskboard(&app, caller.at(&path.slug), path.id, show).await?;
    Ok(Json(view::taskboard(board)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "getTaskboard",
        "Sprints",
        "View a sprint's taskboard",
        "One column for each workflow state, with the sums of estimates and remaining work. Each card is an \
         item with its subtasks, in manual order.",
    )
}
