//! The wiki's API: the tree, pages and their versions.
//!
//! Owns addresses, what goes in and out, and the documentation. Decides nothing: each handler calls one use
//! case of `svc_app::wiki`.

mod get;
mod path;
mod put;
mod tree;
mod versions;
mod view;

use aide::axum::routing::get_with;
use svc_http::ApiRouter;

/// The routes of this area, relative to `/api/v1`.
pub fn router() -> ApiRouter {
    ApiRouter::new()
        .api_route("/orgs/{slug}/projects/{key}/wiki", get_with(tree::handler, tree::docs))
        .api_route(
            "/orgs/{slug}/projects/{key}/wiki/pages/{*path}",
            get_with(get::handler, get::docs).put_with(put::handler, put::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/wiki/versions/{*path}",
            get_with(versions::handler, versions::docs),
        )
}
