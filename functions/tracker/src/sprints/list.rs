//! `GET …/projects/{key}/sprints`: one page of a project's sprints.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::Page;
use svc_api::tracker::{Sprint, SprintQuery};
use svc_app::App;
use svc_app::tracker::sprints;
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Caller, Json, Paging, Path, Query};
use svc_present::tracker::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Query(query): Query<SprintQuery>,
) -> ApiResult<Json<Page<Sprint>>> {
    let paging = Paging::clamp(query.page, query.page_size);
    let wanted = read::list_sprints(query, (paging.offset(), paging.page_size as usize))?;
    let (sprints, total) = sprints::list(&app, caller.at(&path.slug), &path.key, &wanted).await?;
    Ok(Json(paging.of(sprints.into_iter().map(view::sprint).collect(), total)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "listSprints",
        "Sprints",
        "List a project's sprints",
        "Active ones first, then planned ones in the order in which they begin, then completed ones, the last \
         completed first.",
    )
}
