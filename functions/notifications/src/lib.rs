//! The notifications API: the caller's inbox.
//!
//! Owns addresses, what goes in and out, and the documentation. Decides nothing: each handler calls one use
//! case of `svc_app::notifications`.

mod counts;
mod done;
mod list;
mod mark;
mod read;

use aide::axum::routing::{get_with, patch_with, post_with};
use svc_http::ApiRouter;

/// The routes of this area, relative to `/api/v1`.
pub fn router() -> ApiRouter {
    ApiRouter::new()
        .api_route("/me/notifications", get_with(list::handler, list::docs))
        .api_route("/me/notifications/counts", get_with(counts::handler, counts::docs))
        .api_route("/me/notifications/read", post_with(read::handler, read::docs))
        .api_route("/me/notifications/done", post_with(done::handler, done::docs))
        .api_route("/me/notifications/{id}", patch_with(mark::handler, mark::docs))
}
