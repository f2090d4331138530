//! `GET …/projects/{key}/changes`: what changed since a cursor.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Changes, ChangesQuery};
use svc_app::App;
use svc_app::tracker::changes;
use svc_app::tracker::list::ListedItem;
use svc_domain::feed::read_part;
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Caller, Path, Query, SteadyJson};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Query(query): Query<ChangesQuery>,
) -> ApiResult<SteadyJson<Changes<view::ListEntry>>> {
    let show = |listed: ListedItem<'_>| view::listed(&path.key, listed);
    let (caller, after) = (caller.at(&path.slug), query.after.as_deref());
    let changes = changes::since(&app, caller, &path.key, after, show).await?;
    let read_at = read_part(&changes.cursor).to_owned();
    Ok(SteadyJson(view::changes(changes), vec![read_at]))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "listChanges",
        "Items",
        "List changes",
        "Ask without `after` to get a cursor, load the list, then ask with the cursor of each answer: no change is \
         missed, whichever server wrote it. `reload` means that too much has changed: load the list again.",
    )
}
