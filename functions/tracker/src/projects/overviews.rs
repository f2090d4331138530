//! `GET /orgs/{slug}/project-overviews`: how far each project is.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::ProjectOverview;
use svc_app::App;
use svc_app::tracker::overviews;
use svc_http::doc::operation;
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
) -> ApiResult<Json<Vec<ProjectOverview>>> {
    let found = overviews::overviews(&app, caller.at(&path.slug)).await?;
    Ok(Json(found.into_iter().map(view::overview).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "projectOverviews",
        "Projects",
        "View how far projects are",
        "For every project that the caller sees and that is not archived, by key: how many items are waiting, in \
         progress and done, how many were resolved in each of the last 12 weeks, when an item last changed, and which \
         people and agents work on those that changed last.",
    )
}
