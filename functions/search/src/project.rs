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
        "With `types=items` it completes a ticket while it is typed: an \
         empty `q` answers the items that changed last; a key, its beginning, a number or `#<number>` answers \
         the tickets of it, the exact one first; then come titles that hold the words anywhere, then \
         descriptions.\n\n\
         With comments or pages, `q` must say something. All words must occur; the last may be the beginning \
         of a word; words in quotes follow each other. Case and accents do not matter. Identifiers come first, \
         then titles, then the rest, where more whole words and what was written later come first.\n\n\
         A text can be found within two seconds of being written, by its first 2,000 different words. Of words \
         that thousands of texts have, the newest 300 texts are looked at.",
    )
}
