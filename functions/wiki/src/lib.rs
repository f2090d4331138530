//! The wiki's API: the tree, pages, their versions, and who may read and edit them.
//!
//! Owns addresses, what goes in and out, and the documentation. Decides nothing: each handler calls one use
//! case of `svc_app::wiki`. A page's path is the end of an address, so what is done to a page comes before it.

mod access;
mod delete;
mod deleted;
mod diff;
mod get;
mod move_page;
mod path;
mod put;
mod restore;
mod set_access;
mod tree;
mod undelete;
mod version;
mod versions;

use aide::axum::routing::{get_with, post_with};
use svc_http::ApiRouter;

/// The routes of this area, relative to `/api/v1`.
pub fn router() -> ApiRouter {
    ApiRouter::new()
        .api_route("/orgs/{slug}/projects/{key}/wiki", get_with(tree::handler, tree::docs))
        .api_route(
            "/orgs/{slug}/projects/{key}/wiki/pages/{*path}",
            get_with(get::handler, get::docs)
                .put_with(put::handler, put::docs)
                .delete_with(delete::handler, delete::docs),
        )
        .api_route("/orgs/{slug}/projects/{key}/wiki/deleted", get_with(deleted::handler, deleted::docs))
        .api_route(
            "/orgs/{slug}/projects/{key}/wiki/deleted/{id}/restore",
            post_with(undelete::handler, undelete::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/wiki/versions/{*path}",
            get_with(versions::handler, versions::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/wiki/version/{number}/{*path}",
            get_with(version::handler, version::docs),
        )
        .api_route("/orgs/{slug}/projects/{key}/wiki/diff/{*path}", get_with(diff::handler, diff::docs))
        .api_route(
            "/orgs/{slug}/projects/{key}/wiki/restore/{*path}",
            post_with(restore::handler, restore::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/wiki/move/{*path}",
            post_with(move_page::handler, move_page::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/wiki/access/{*path}",
            get_with(access::handler, access::docs).put_with(set_access::handler, set_access::docs),
        )
}
