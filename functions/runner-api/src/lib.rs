//! What a runner calls with its secret (specification section 4.3).
//!
//! Owns addresses, what goes in and out, and the documentation. Decides nothing: each handler calls one use
//! case of `svc_app::factory`.

mod artifact;
mod changes;
mod credential;
mod finish;
mod give_back;
mod heartbeat;
mod hello;
mod log;
mod pull_request;
mod start;
mod take;

use aide::axum::routing::{post_with, put_with};
use axum::Extension;
use svc_http::{ApiRouter, BodyLimit};

/// Bytes of a batch of log entries, or of a report of changes, at most: a megabyte of text, all of it escaped.
const MAX_BATCH: usize = 8 * 1024 * 1024;

/// The routes of this area, relative to `/api/v1`.
pub fn router() -> ApiRouter {
    let long = ApiRouter::new()
        .api_route("/runner/runs/{id}/log", post_with(log::handler, log::docs))
        .api_route("/runner/runs/{id}/changes", post_with(changes::handler, changes::docs))
        .layer(Extension(BodyLimit(MAX_BATCH)));
    ApiRouter::new()
        .api_route("/runner/hello", post_with(hello::handler, hello::docs))
        .api_route("/runner/take", post_with(take::handler, take::docs))
        .api_route("/runner/runs/{id}/start", post_with(start::handler, start::docs))
        .api_route("/runner/runs/{id}/heartbeat", post_with(heartbeat::handler, heartbeat::docs))
        .api_route("/runner/runs/{id}/credential", post_with(credential::handler, credential::docs))
        .api_route("/runner/runs/{id}/give-back", post_with(give_back::handler, give_back::docs))
        .api_route("/runner/runs/{id}/pull-request", post_with(pull_request::handler, pull_request::docs))
        .api_route("/runner/runs/{id}/artifacts/{file}", put_with(artifact::handler, artifact::docs))
        .api_route("/runner/runs/{id}/finish", post_with(finish::handler, finish::docs))
        .merge(long)
}
