//! `GET /orgs/{slug}/search`: searches every project that the caller sees.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::search::{OrgSearchQuery, SearchResults};
use svc_app::{App, search};
use svc_http::doc::operation;
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, Json, Path, Query};
use svc_present::search::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Query(query): Query<OrgSearchQuery>,
) -> ApiResult<Json<SearchResults>> {
    let find = read::of_org(query)?;
    let found = search::in_org(&app, caller.at(&path.slug), &find).await?;
    Ok(Json(view::results(found)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "searchOrganization",
        "Search",
        "Search an organization",
        "Searches everything that the caller can see in all projects, and the names of projects and members. \
         `q` is required and works as in the search of a project, and so does `totals`.",
    )
}
