//! `GET …/projects/{key}/stats`: numbers of a project's work.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{ProjectStats, ProjectStatsQuery};
use svc_app::App;
use svc_app::tracker::stats;
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Caller, Json, Path, Query};
use svc_present::tracker::{read, view};

/// Weeks of an answer where no number is asked for.
const USUAL: u32 = 12;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Query(query): Query<ProjectStatsQuery>,
) -> ApiResult<Json<ProjectStats>> {
    let weeks = query.weeks.unwrap_or(USUAL);
    let milestone = read::milestone_of_stats(&query)?;
    let stats = stats::stats(&app, caller.at(&path.slug), &path.key, weeks, milestone).await?;
    Ok(Json(view::stats(stats)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "projectStats",
        "Projects",
        "View project statistics",
        "Throughput by week and how many items were waiting, in progress and done at its end, lead and cycle times \
         of the items that were resolved, and the velocity of the last sprints. Deleted items are not counted.",
    )
}
