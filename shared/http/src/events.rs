//! Server-sent events.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::response::sse;
use axum::response::{IntoResponse, Response};
use futures::Stream;
use futures::stream::{BoxStream, StreamExt as _};
use http::header;
use http::request::Parts;
use serde::Serialize;
use svc_app::App;
use svc_app::settings::Streams;

use crate::error::ApiError;
use crate::held::Held;

/// What a request says of the events it wants.
#[derive(Debug)]
pub struct EventRequest {
    /// Id of the last event that the client got before it was cut off.
    pub last_event_id: Option<String>,
    /// Whether the client takes a stream: without that it gets one event.
    follows: bool,
    /// When the client asks again, where streams end with their first event.
    again_in: Option<Duration>,
    held: Held,
}

impl FromRequestParts<Arc<App>> for EventRequest {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let held = Held::from_request_parts(parts, app).await?;
        let text = |name| parts.headers.get(name).and_then(|value: &http::HeaderValue| value.to_str().ok());
        let last_event_id = text("last-event-id").filter(|id| !id.is_empty()).map(str::to_owned);
        let follows =
            text(header::ACCEPT.as_str()).is_some_and(|accept| accept.contains("text/event-stream"));
        let service = &app.settings.service;
        let again_in = match service.streams {
            Streams::Held => None,
            Streams::Short => Some(Duration::from_secs(service.poll_seconds.into())),
        };
        Ok(Self { last_event_id, follows, again_in, held })
    }
}

/// One event of a stream.
#[derive(Clone, Debug)]
pub enum Event {
    /// A comment that keeps the connection alive.
    Heartbeat,
    /// Something happened.
    Data {
        /// What kind of thing.
        name: &'static str,
        /// Where to go on after it.
        id: String,
        /// What, as JSON on one line.
        json: String,
    },
}

impl Event {
    /// An event that tells a value.
    pub fn data(name: &'static str, id: String, value: &impl Serialize) -> Self {
        let json = serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned());
        Self::Data { name, id, json }
    }
}

/// A reply that goes on until its stream ends or the client leaves.
pub struct Events {
    events: BoxStream<'static, Event>,
    again_in: Option<Duration>,
    held: Held,
}

impl Events {
    /// These events; the first of them alone for a client that takes no stream, or where streams are short.
    pub fn new(request: EventRequest, events: impl Stream<Item = Event> + Send + 'static) -> Self {
        let EventRequest { follows, again_in, held, .. } = request;
        let events = if follows && again_in.is_none() { events.boxed() } else { events.take(1).boxed() };
        Self { events, again_in, held }
    }
}

impl IntoResponse for Events {
    fn into_response(self) -> Response {
        let Self { events, again_in, held } = self;
        let events = events.map(move |event| {
            // It is held for as long as there is the stream.
            let _ = &held;
            let line = again_in.map_or_else(sse::Event::default, |time| sse::Event::default().retry(time));
            Ok::<_, Infallible>(match event {
                Event::Heartbeat => line.comment("still here"),
                Event::Data { name, id, json } => line.event(name).id(id).data(json),
            })
        });
        // A proxy that collects what it passes on would deliver nothing.
        ([("x-accel-buffering", "no")], sse::Sse::new(events)).into_response()
    }
}
