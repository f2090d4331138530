//! Routes of attachments.

mod announce;
mod commit;
mod delete;
mod download;
mod get;
mod list;
mod upload;

use aide::axum::routing::{get_with, post_with};
use svc_http::ApiRouter;

/// The routes of attachments, relative to `/api/v1`.
pub(crate) fn router() -> ApiRouter {
    ApiRouter::new()
        .api_route(
            "/orgs/{slug}/items/{key}/attachments",
            get_with(list::handler, list::docs).post_with(announce::handler, announce::docs),
        )
        .api_route(
            "/orgs/{slug}/attachments/{id}",
            get_with(get::handler, get::docs).delete_with(delete::handler, delete::docs),
        )
        .api_route(
            "/orgs/{slug}/attachments/{id}/content",
            get_with(download::handler, download::docs).put_with(upload::handler, upload::docs),
        )
        .api_route("/orgs/{slug}/attachments/{id}/commit", post_with(commit::handler, commit::docs))
}
