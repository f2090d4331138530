//! `GET …/orgs/{slug}/changes`: what changed in an organization since a cursor.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{OrgChanges, OrgChangesQuery};
use svc_app::{App, journal};
use svc_domain::feed::read_part;
use svc_http::doc::operation;
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, Path, Query, SteadyJson};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Query(query): Query<OrgChangesQuery>,
) -> ApiResult<SteadyJson<OrgChanges<view::ListEntry>>> {
    let changes = journal::since(&app, caller.at(&path.slug), query.after.as_deref(), view::listed).await?;
    let read_at = read_part(&changes.cursor).to_owned();
    Ok(SteadyJson(view::org_changes(changes), vec![read_at]))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "listOrgChanges",
        "Organizations",
        "List changes in an organization",
        "Returns the current items that changed, of every project that the caller sees; for everything else, it \
        names what changed. Ask without `after` to get a cursor, load what you show, then ask with the cursor of \
        each answer. `reload` means that too much has changed: load everything again.",
    )
}
