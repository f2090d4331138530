//! The notifications API: the caller's inbox, what people and organizations want to be told of, their channels, and the
//! webhooks of an organization.
//!
//! Owns addresses, what goes in and out, and the documentation. Decides nothing: each handler calls one use
//! case of `svc_app::notifications` or `svc_app::webhooks`.

mod bot_updates;
mod channels;
mod counts;
mod done;
mod list;
mod list_body;
mod mark;
mod org_channels;
mod preferences;
mod push;
mod read;
mod unsubscribe;
mod webhooks;

use aide::axum::routing::{delete_with, get_with, patch_with, post_with};
use svc_http::ApiRouter;

/// The routes of this area, relative to `/api/v1`.
pub fn router() -> ApiRouter {
    ApiRouter::new()
        .api_route("/me/notifications", get_with(list::handler, list::docs))
        .api_route("/me/notifications/counts", get_with(counts::handler, counts::docs))
        .api_route("/me/notifications/read", post_with(read::handler, read::docs))
        .api_route("/me/notifications/done", post_with(done::handler, done::docs))
        .api_route("/me/notifications/{id}", patch_with(mark::handler, mark::docs))
        .api_route(
            "/notifications/unsubscribe/{token}",
            get_with(unsubscribe::look, unsubscribe::look_docs)
                .post_with(unsubscribe::stop, unsubscribe::stop_docs),
        )
        .api_route("/notifications/chat-1/updates", post_with(bot_updates::handler, bot_updates::docs))
        .merge(of_preferences())
        .merge(of_channels())
        .merge(of_browsers())
        .merge(of_webhooks())
}

fn of_preferences() -> ApiRouter {
    use preferences::{defaults_get, defaults_put, get, put, settings_get, settings_patch};
    ApiRouter::new()
        .api_route(
            "/me/notification-preferences",
            get_with(get::handler, get::docs).put_with(put::handler, put::docs),
        )
        .api_route(
            "/me/notification-settings",
            get_with(settings_get::handler, settings_get::docs)
                .patch_with(settings_patch::handler, settings_patch::docs),
        )
        .api_route(
            "/orgs/{slug}/notification-defaults",
            get_with(defaults_get::handler, defaults_get::docs)
                .put_with(defaults_put::handler, defaults_put::docs),
        )
}

fn of_channels() -> ApiRouter {
    use channels::{create, delete, list, test};
    use org_channels as org;
    ApiRouter::new()
        .api_route(
            "/me/notification-channels",
            get_with(list::handler, list::docs).post_with(create::handler, create::docs),
        )
        .api_route("/me/notification-channels/{id}", delete_with(delete::handler, delete::docs))
        .api_route("/me/notification-channels/{id}/test", post_with(test::handler, test::docs))
        .api_route(
            "/orgs/{slug}/notification-channels",
            get_with(org::list::handler, org::list::docs).post_with(org::create::handler, org::create::docs),
        )
        .api_route(
            "/orgs/{slug}/notification-channels/{id}",
            patch_with(org::change::handler, org::change::docs)
                .delete_with(org::delete::handler, org::delete::docs),
        )
        .api_route(
            "/orgs/{slug}/notification-channels/{id}/test",
            post_with(org::test::handler, org::test::docs),
        )
}

fn of_browsers() -> ApiRouter {
    use push::{create, delete, list, test};
    ApiRouter::new()
        .api_route(
            "/me/push-subscriptions",
            get_with(list::handler, list::docs).post_with(create::handler, create::docs),
        )
        .api_route("/me/push-subscriptions/{id}", delete_with(delete::handler, delete::docs))
        .api_route("/me/push-subscriptions/{id}/test", post_with(test::handler, test::docs))
}

fn of_webhooks() -> ApiRouter {
    use webhooks::{create, delete, deliveries, get, list, ping, replay, rotate, update};

    let one = get_with(get::handler, get::docs)
        .patch_with(update::handler, update::docs)
        .delete_with(delete::handler, delete::docs);
    ApiRouter::new()
        .api_route(
            "/orgs/{slug}/webhooks",
            get_with(list::handler, list::docs).post_with(create::handler, create::docs),
        )
        .api_route("/orgs/{slug}/webhooks/{id}", one)
        .api_route("/orgs/{slug}/webhooks/{id}/rotate", post_with(rotate::handler, rotate::docs))
        .api_route("/orgs/{slug}/webhooks/{id}/test", post_with(ping::handler, ping::docs))
        .api_route("/orgs/{slug}/webhooks/{id}/deliveries", get_with(deliveries::handler, deliveries::docs))
        .api_route(
            "/orgs/{slug}/webhooks/{id}/deliveries/{delivery}/replay",
            post_with(replay::handler, replay::docs),
        )
}
