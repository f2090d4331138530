//! Sign-in, tokens, organizations and their members: the routes, one to a file, and nothing that decides.

mod auth;
mod me;
mod members;
mod orgs;
mod paths;
mod project_members;
mod tokens;
mod view;

use aide::axum::routing::{delete_with, get_with, patch_with, post_with, put_with};
use svc_http::ApiRouter;

/// Routes of this area, relative to `/api/v1`.
pub fn router() -> ApiRouter {
    ApiRouter::new()
        .api_route("/auth/setup", get_with(auth::setup::handle, auth::setup::docs))
        .api_route("/auth/register", post_with(auth::register::handle, auth::register::docs))
        .api_route("/auth/login", post_with(auth::login::handle, auth::login::docs))
        .api_route("/auth/logout", post_with(auth::logout::handle, auth::logout::docs))
        .api_route("/me", get_with(me::handle, me::docs))
        .api_route(
            "/me/tokens",
            get_with(tokens::list::handle, tokens::list::docs)
                .post_with(tokens::create::handle, tokens::create::docs),
        )
        .api_route("/me/tokens/{id}", delete_with(tokens::revoke::handle, tokens::revoke::docs))
        .api_route(
            "/orgs",
            get_with(orgs::list::handle, orgs::list::docs)
                .post_with(orgs::create::handle, orgs::create::docs),
        )
        .api_route("/orgs/{slug}", get_with(orgs::get::handle, orgs::get::docs))
        .api_route(
            "/orgs/{slug}/members",
            get_with(members::list::handle, members::list::docs)
                .post_with(members::add::handle, members::add::docs),
        )
        .api_route(
            "/orgs/{slug}/members/{userId}",
            patch_with(members::update::handle, members::update::docs)
                .delete_with(members::remove::handle, members::remove::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/members",
            get_with(project_members::list::handle, project_members::list::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/members/{userId}",
            put_with(project_members::set::handle, project_members::set::docs)
                .delete_with(project_members::remove::handle, project_members::remove::docs),
        )
}
