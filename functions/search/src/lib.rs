//! The search API: of a project, and of an organization.
//!
//! Owns addresses, what goes in and out, and the documentation. Decides nothing: each handler calls one use
//! case of `svc_app::search`.

mod org;
mod project;

use aide::axum::routing::get_with;
use svc_http::ApiRouter;

/// The routes of this area, relative to `/api/v1`.
pub fn router() -> ApiRouter {
    ApiRouter::new()
        .api_route("/orgs/{slug}/search", get_with(org::handler, org::docs))
        .api_route("/orgs/{slug}/projects/{key}/search", get_with(project::handler, project::docs))
}
