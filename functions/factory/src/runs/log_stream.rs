//! `GET …/runs/{id}/log/stream`: the log of a run, as it is written.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use futures::StreamExt as _;
use svc_api::factory::LogStreamQuery;
use svc_app::App;
use svc_app::factory::log::{self, Follower, Page, Window};
use svc_app::following::Told;
use svc_domain::ids::RunId;
use svc_domain::refusal::Refusal;
use svc_http::doc::{operation, refuses};
use svc_http::paths::OrgIdPath;
use svc_http::problems::FACTORY_NOT_PERMITTED;
use svc_http::{ApiResult, Caller, Event, EventRequest, Events, Path, Query};
use svc_present::factory::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<RunId>>,
    Query(query): Query<LogStreamQuery>,
    request: EventRequest,
) -> ApiResult<Events> {
    let window = match &request.last_event_id {
        Some(last) => Window::after(last.parse().map_err(|_| no_number())?),
        None => Window { after: query.after, tail: query.tail, ..Window::default() },
    };
    let follower = Follower { app, credential: caller.0, slug: Some(path.slug), run: path.id };
    let told = log::follow(follower, window).await?;
    Ok(Events::new(request, told.map(event)))
}

fn no_number() -> Refusal {
    Refusal::invalid("after", "Last-Event-ID is the id of an event of this stream.")
}

fn event(told: Told<Page>) -> Event {
    match told {
        Told::Quiet => Event::Heartbeat,
        Told::News(page) => Event::data("log", page.next_after.to_string(), &view::log(page)),
    }
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FACTORY_NOT_PERMITTED]);
    operation(
        op,
        "streamRunLog",
        "Runs",
        "Follow the log of a run",
        "Server-sent events named `log`. The data of each is a page of the log, and its id is the last `seq`. \
         Begin with `tail` or `after`; to resume, send the last id as `Last-Event-ID`. The stream ends after the \
         last entry of a run that is over, or when the caller may no longer read the log. A comment every 15 \
         seconds keeps the connection alive. Without `text/event-stream` in `Accept`, only the first event is sent.",
    )
}
