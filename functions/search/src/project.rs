//! `GET …/projects/{key}/search`: searches one project, or completes a ticket while it is typed.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::search::{ProjectSearchQuery, SearchResults};
use svc_app::{App, search};
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Caller, Json, Path, Query};
use svc_present::search::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Query(query): Query<ProjectSearchQuery>,
) -> ApiResult<Json<SearchResults>> {
    let find = read::of_project(query)?;
    let found = search::in_project(&app, caller.at(&path.slug), &path.key, &find).await?;
    Ok(Json(view::results(found)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "searchProject",
        "Search",
        "Search a project",
        "With `types=items` it completes a ticket as you type. An empty `q` returns the items that changed \
         last. A key, its beginning, a number or `#<number>` returns the matching tickets, the exact match \
         first. Titles that contain the words come next, then descriptions.\n\n\
         With comments or pages, `q` must not be empty. All words must occur; the last one may be the beginning \
         of a word; quoted words must follow each other. Case and accents do not matter. Identifiers come \
         first, then titles, then other texts; among these, texts with more whole words and newer texts come \
         first.\n\n\
         A text can be found within two seconds of being written, by its first 2,000 different words. For \
         words that occur in thousands of texts, only the newest 2,000 texts are searched. `totals=true` counts up to 500 \
         texts of each search: where more hold the words, a total says `atLeast`.",
    )
}
