//! `GET …/orgs/{slug}/stream`: what changes in an organization, as it happens.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use futures::StreamExt as _;
use svc_api::tracker::OrgChangesQuery;
use svc_app::App;
use svc_app::following::{Follower, Told};
use svc_app::journal::{self, OrgChanges};
use svc_http::doc::operation;
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, Event, EventRequest, Events, Path, Query};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Query(query): Query<OrgChangesQuery>,
    request: EventRequest,
) -> ApiResult<Events> {
    let after = request.last_event_id.clone().or(query.after);
    let follower = Follower { app, credential: caller.0, slug: path.slug };
    let told = journal::follow(follower, after.as_deref(), view::listed).await?;
    Ok(Events::new(request, told.map(event)))
}

fn event(told: Told<OrgChanges>) -> Event {
    match told {
        Told::Quiet => Event::Heartbeat,
        Told::News(changes) => {
            let changes = view::org_changes(changes);
            Event::data("changes", changes.cursor.clone(), &changes)
        }
    }
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "streamOrgChanges",
        "Organizations",
        "Stream changes in an organization",
        "Server-sent events named `changes`: one stream for all projects that the caller sees, instead of one for \
         each. The data of each event is an answer of the list of changes, and its id is the cursor. The first event \
         comes at once. To resume, send the last id as `Last-Event-ID` (or `after`): nothing is missed, and an event \
         with `reload` says that too much has changed. Each event contains only what the caller may see when it is \
         sent. A comment every 15 seconds keeps the connection alive. The stream ends when the caller \
         no longer belongs to the organization. Without `text/event-stream` in `Accept`, the answer is the first \
         event alone.",
    )
}
