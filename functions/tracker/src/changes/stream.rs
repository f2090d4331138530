//! `GET …/projects/{key}/changes/stream`: what changes, as it happens.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use futures::StreamExt as _;
use svc_api::tracker::ChangesQuery;
use svc_app::App;
use svc_app::following::{Follower, Told};
use svc_app::tracker::changes::{self, Changes};
use svc_app::tracker::list::ListedItem;
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Caller, Event, EventRequest, Events, Path, Query};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Query(query): Query<ChangesQuery>,
    request: EventRequest,
) -> ApiResult<Events> {
    let after = request.last_event_id.clone().or(query.after);
    let project = path.key.clone();
    let show = move |listed: ListedItem<'_>| view::listed(&project, listed);
    let follower = Follower { app, credential: caller.0, slug: path.slug };
    let told = changes::follow(follower, path.key, after.as_deref(), show).await?;
    Ok(Events::new(request, told.map(event)))
}

fn event(told: Told<Changes>) -> Event {
    match told {
        Told::Quiet => Event::Heartbeat,
        Told::News(changes) => {
            let changes = view::changes(changes);
            Event::data("changes", changes.cursor.clone(), &changes)
        }
    }
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "streamChanges",
        "Items",
        "Stream changes",
        "Server-sent events named `changes`. The data of each is an answer of the list of changes, and its id is \
         the cursor. The first event comes at once. To resume, send the last id as `Last-Event-ID` (or `after`): \
         nothing is missed. A comment every 15 seconds keeps the connection alive. The stream ends when the caller \
         may no longer see the project. Without `text/event-stream` in `Accept`, the answer is the first event \
         alone.",
    )
}
