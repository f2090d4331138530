//! Sign-in, tokens, organizations and their members: the routes, one to a file, and nothing that decides.

mod account;
mod auth;
mod invitations;
mod members;
mod orgs;
mod paths;
mod project_members;
mod sessions;
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
        .api_route("/auth/oidc/start", post_with(auth::oidc_start::handle, auth::oidc_start::docs))
        .api_route("/auth/oidc/callback", get_with(auth::oidc_callback::handle, auth::oidc_callback::docs))
        .api_route(
            "/auth/oidc/connection",
            delete_with(auth::oidc_disconnect::handle, auth::oidc_disconnect::docs),
        )
        .api_route("/auth/refresh", post_with(auth::refresh::handle, auth::refresh::docs))
        .api_route("/auth/password", post_with(auth::password_change::handle, auth::password_change::docs))
        .api_route(
            "/auth/password/forgot",
            post_with(auth::password_forgot::handle, auth::password_forgot::docs),
        )
        .api_route(
            "/auth/password/reset",
            post_with(auth::password_reset::handle, auth::password_reset::docs),
        )
        .api_route("/auth/invitations/look", post_with(auth::look::handle, auth::look::docs))
        .api_route("/auth/invitations/accept", post_with(auth::accept::handle, auth::accept::docs))
        .merge(me())
        .merge(orgs())
}

/// Routes of the caller's account, and of people's pictures.
fn me() -> ApiRouter {
    ApiRouter::new()
        .api_route(
            "/me",
            get_with(account::get::handle, account::get::docs)
                .patch_with(account::update::handle, account::update::docs),
        )
        .api_route(
            "/me/avatar",
            put_with(account::set_avatar::handle, account::set_avatar::docs)
                .delete_with(account::remove_avatar::handle, account::remove_avatar::docs),
        )
        .api_route("/avatars/{id}", get_with(account::avatar::handle, account::avatar::docs))
        .api_route(
            "/me/sessions",
            get_with(sessions::list::handle, sessions::list::docs)
                .delete_with(sessions::end_all::handle, sessions::end_all::docs),
        )
        .api_route("/me/sessions/{id}", delete_with(sessions::end::handle, sessions::end::docs))
        .api_route(
            "/me/tokens",
            get_with(tokens::list::handle, tokens::list::docs)
                .post_with(tokens::create::handle, tokens::create::docs),
        )
        .api_route("/me/tokens/{id}", delete_with(tokens::revoke::handle, tokens::revoke::docs))
}

/// Routes of organizations.
fn orgs() -> ApiRouter {
    ApiRouter::new()
        .api_route(
            "/orgs",
            get_with(orgs::list::handle, orgs::list::docs)
                .post_with(orgs::create::handle, orgs::create::docs),
        )
        .api_route(
            "/orgs/{slug}",
            get_with(orgs::get::handle, orgs::get::docs).patch_with(orgs::update::handle, orgs::update::docs),
        )
        .api_route("/orgs/{slug}/leave", post_with(orgs::leave::handle, orgs::leave::docs))
        .api_route(
            "/orgs/{slug}/invitations",
            get_with(invitations::list::handle, invitations::list::docs)
                .post_with(invitations::create::handle, invitations::create::docs),
        )
        .api_route(
            "/orgs/{slug}/invitations/{id}",
            delete_with(invitations::revoke::handle, invitations::revoke::docs),
        )
        .api_route(
            "/orgs/{slug}/invitations/{id}/resend",
            post_with(invitations::resend::handle, invitations::resend::docs),
        )
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
