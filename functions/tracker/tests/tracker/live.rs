//! An open stream of events.

use std::time::Duration;

use axum::Router;
use axum::body::{Body, BodyDataStream};
use futures::StreamExt as _;
use http::Request;
use serde_json::Value;
use tower::ServiceExt as _;

/// An open stream of events.
pub(crate) struct Live {
    body: BodyDataStream,
    text: String,
}

impl Live {
    /// The stream at a path after `/orgs/demo`, from the last event on.
    pub(crate) async fn open(router: &Router, path: &str, token: &str, last: Option<&str>) -> Self {
        let mut request = Request::builder()
            .uri(format!("/api/v1/orgs/demo{path}"))
            .header("authorization", format!("Bearer {token}"))
            .header("accept", "text/event-stream");
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let reply = router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(reply.status(), 200);
        assert_eq!(reply.headers()["content-type"], "text/event-stream");
        assert_eq!(reply.headers()["x-accel-buffering"], "no");
        Self { body: reply.into_body().into_data_stream(), text: String::new() }
    }

    /// The data and the id of the next event; `None` when the stream has ended.
    pub(crate) async fn event(&mut self) -> Option<(Value, String)> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let field =
                    |name: &str| event.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
                let found = field("data: ").zip(field("id: "));
                self.text = rest.to_owned();
                let Some((data, id)) = found else { continue };
                return Some((serde_json::from_str(&data).unwrap(), id));
            }
            let patience = Duration::from_secs(40);
            let bytes = tokio::time::timeout(patience, self.body.next()).await.expect("something in time")?;
            self.text.push_str(std::str::from_utf8(&bytes.unwrap()).unwrap());
        }
    }
}
