//! Sign-in, tokens, organizations and their members: the routes, one to a file, and nothing that decides.

mod account;
mod admin;
mod auth;
mod group_roles;
mod invitations;
mod members;
mod orgs;
mod paths;
mod project_members;
mod scim;
mod scim_tokens;
mod sessions;
mod tokens;

use aide::axum::routing::{delete_with, get_with, patch_with, post_with, put_with};
use svc_http::ApiRouter;

pub use scim::router as scim;

/// Routes of this area, relative to `/api/v1`.
pub fn router() -> ApiRouter {
    ApiRouter::new()
        .api_route("/auth/setup", get_with(auth::setup::handler, auth::setup::docs))
        .api_route("/auth/register", post_with(auth::register::handler, auth::register::docs))
        .api_route("/auth/login", post_with(auth::login::handler, auth::login::docs))
        .api_route("/auth/logout", post_with(auth::logout::handler, auth::logout::docs))
        .api_route("/auth/oidc/start", post_with(auth::oidc_start::handler, auth::oidc_start::docs))
        .api_route("/auth/oidc/callback", get_with(auth::oidc_callback::handler, auth::oidc_callback::docs))
        .api_route(
            "/auth/oidc/connection",
            delete_with(auth::oidc_disconnect::handler, auth::oidc_disconnect::docs),
        )
        .api_route("/auth/refresh", post_with(auth::refresh::handler, auth::refresh::docs))
        .api_route("/auth/password", post_with(auth::password_change::handler, auth::password_change::docs))
        .api_route(
            "/auth/password/forgot",
            post_with(auth::password_forgot::handler, auth::password_forgot::docs),
        )
        .api_route(
            "/auth/password/reset",
            post_with(auth::password_reset::handler, auth::password_reset::docs),
        )
        .api_route("/auth/email/confirm", post_with(auth::email_confirm::handler, auth::email_confirm::docs))
        .api_route("/auth/invitations/look", post_with(auth::look::handler, auth::look::docs))
        .api_route("/auth/invitations/accept", post_with(auth::accept::handler, auth::accept::docs))
        .merge(me())
        .merge(orgs())
        .merge(admin())
}

/// Routes of the caller's account, and of people's pictures.
fn me() -> ApiRouter {
    ApiRouter::new()
        .api_route(
            "/me",
            get_with(account::get::handler, account::get::docs)
                .patch_with(account::update::handler, account::update::docs),
        )
        .api_route(
            "/me/avatar",
            put_with(account::set_avatar::handler, account::set_avatar::docs)
                .delete_with(account::remove_avatar::handler, account::remove_avatar::docs),
        )
        .api_route("/avatars/{id}", get_with(account::avatar::handler, account::avatar::docs))
        .api_route(
            "/me/sessions",
            get_with(sessions::list::handler, sessions::list::docs)
                .delete_with(sessions::end_all::handler, sessions::end_all::docs),
        )
        .api_route("/me/sessions/{id}", delete_with(sessions::end::handler, sessions::end::docs))
        .api_route(
            "/me/tokens",
            get_with(tokens::list::handler, tokens::list::docs)
                .post_with(tokens::create::handler, tokens::create::docs),
        )
        .api_route("/me/tokens/{id}", delete_with(tokens::revoke::handler, tokens::revoke::docs))
}

/// Routes for admins of the instance.
fn admin() -> ApiRouter {
    ApiRouter::new()
        .api_route("/admin", get_with(admin::instance::handler, admin::instance::docs))
        .api_route("/admin/accounts", get_with(admin::accounts::handler, admin::accounts::docs))
        .api_route("/admin/accounts/{id}/disable", post_with(admin::disable::handler, admin::disable::docs))
        .api_route("/admin/accounts/{id}/enable", post_with(admin::enable::handler, admin::enable::docs))
        .api_route(
            "/admin/accounts/{id}/sign-out",
            post_with(admin::sign_out::handler, admin::sign_out::docs),
        )
        .api_route(
            "/admin/accounts/{id}/password-link",
            post_with(admin::password_link::handler, admin::password_link::docs),
        )
        .api_route("/admin/orgs", get_with(admin::orgs::handler, admin::orgs::docs))
        .api_route("/admin/orgs/{slug}/plan", put_with(admin::plan::handler, admin::plan::docs))
        .api_route("/admin/mail-test", post_with(admin::mail_test::handler, admin::mail_test::docs))
        .api_route("/admin/dead-letters", get_with(admin::dead_letters::handler, admin::dead_letters::docs))
        .api_route("/admin/dead-letters/replay", post_with(admin::replay::handler, admin::replay::docs))
        .api_route("/admin/audit", get_with(admin::audit::handler, admin::audit::docs))
}

/// Routes of organizations.
fn orgs() -> ApiRouter {
    ApiRouter::new()
        .api_route(
            "/orgs",
            get_with(orgs::list::handler, orgs::list::docs)
                .post_with(orgs::create::handler, orgs::create::docs),
        )
        .api_route(
            "/orgs/{slug}",
            get_with(orgs::get::handler, orgs::get::docs)
                .patch_with(orgs::update::handler, orgs::update::docs)
                .delete_with(orgs::delete::handler, orgs::delete::docs),
        )
        .api_route("/orgs/{slug}/audit", get_with(orgs::audit::handler, orgs::audit::docs))
        .api_route("/orgs/{slug}/restore", post_with(orgs::restore::handler, orgs::restore::docs))
        .api_route("/orgs/{slug}/leave", post_with(orgs::leave::handler, orgs::leave::docs))
        .api_route(
            "/orgs/{slug}/invitations",
            get_with(invitations::list::handler, invitations::list::docs)
                .post_with(invitations::create::handler, invitations::create::docs),
        )
        .api_route(
            "/orgs/{slug}/invitations/{id}",
            delete_with(invitations::revoke::handler, invitations::revoke::docs),
        )
        .api_route(
            "/orgs/{slug}/invitations/{id}/resend",
            post_with(invitations::resend::handler, invitations::resend::docs),
        )
        .api_route(
            "/orgs/{slug}/members",
            get_with(members::list::handler, members::list::docs)
                .post_with(members::add::handler, members::add::docs),
        )
        .api_route(
            "/orgs/{slug}/members/{userId}",
            patch_with(members::update::handler, members::update::docs)
                .delete_with(members::remove::handler, members::remove::docs),
        )
        .api_route(
            "/orgs/{slug}/group-roles",
            get_with(group_roles::get::handler, group_roles::get::docs)
                .put_with(group_roles::set::handler, group_roles::set::docs),
        )
        .api_route(
            "/orgs/{slug}/scim-tokens",
            get_with(scim_tokens::list::handler, scim_tokens::list::docs)
                .post_with(scim_tokens::create::handler, scim_tokens::create::docs),
        )
        .api_route(
            "/orgs/{slug}/scim-tokens/{id}",
            delete_with(scim_tokens::revoke::handler, scim_tokens::revoke::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/members",
            get_with(project_members::list::handler, project_members::list::docs),
        )
        .api_route(
            "/orgs/{slug}/projects/{key}/members/{userId}",
            put_with(project_members::set::handler, project_members::set::docs)
                .delete_with(project_members::remove::handler, project_members::remove::docs),
        )
}
