//! `GET /orgs/{slug}/activity`: what happened lately in every project that the caller sees.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Activity, ActivityQuery};
use svc_app::App;
use svc_app::tracker::activity;
use svc_http::doc::operation;
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, Json, Path, Query};
use svc_present::tracker::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Query(query): Query<ActivityQuery>,
) -> ApiResult<Json<Activity>> {
    let wanted = read::activity(&query)?;
    let found = activity::of_org(&app, caller.at(&path.slug), &wanted).await?;
    Ok(Json(view::activity(found)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "listActivity",
        "Organizations",
        "List what happened lately",
        "The items that something happened to last, of every project that the caller sees and that is not archived, \
         the latest first, each with its last changes and comments as far as the caller sees them. Each item comes \
         once: one that something happens to meanwhile is first in a new answer without `cursor`.",
    )
}
