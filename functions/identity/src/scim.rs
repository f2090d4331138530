//! SCIM 2.0 (RFC 7643 and 7644) below `/scim/v2/orgs/{slug}`: an identity provider writes an organization's people and groups.
//!
//! Not part of the versioned API: the protocol has its own versions, media type and errors. It reads what Okta and Entra ID
//! send, which is not all of the protocol: filters are one `eq`, and there is no sorting and no bulk.

mod about;
mod filter;
mod groups;
mod patch;
mod request;
mod users;

use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use svc_app::App;

/// The routes of the protocol.
pub fn router() -> Router<Arc<App>> {
    let org = "/scim/v2/orgs/{slug}";
    let at = |path: &str| format!("{org}/{path}");
    Router::new()
        .route(&at("ServiceProviderConfig"), get(about::config))
        .route(&at("ResourceTypes"), get(about::resource_types))
        .route(&at("Schemas"), get(about::schemas))
        .route(&at("Users"), get(users::list).post(users::create))
        .route(
            &at("Users/{id}"),
            get(users::get).put(users::replace).patch(users::patch).delete(users::delete),
        )
        .route(&at("Groups"), get(groups::list).post(groups::create))
        .route(
            &at("Groups/{id}"),
            get(groups::get).put(groups::replace).patch(groups::patch).delete(groups::delete),
        )
}
