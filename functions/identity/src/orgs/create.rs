//! `POST /orgs`: a new organization.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::{NewOrganization, Organization};
use svc_app::App;
use svc_app::identity::{self, NewOrg};
use svc_http::doc::{operation, refuses};
use svc_http::problems::ALREADY_EXISTS;
use svc_http::{ApiResult, Body, Caller, CreatedAt};
use svc_present::identity::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(body): Body<NewOrganization>,
) -> ApiResult<CreatedAt<Organization>> {
    let new = NewOrg { slug: body.slug, name: body.name };
    let org = identity::create_org(&app, caller.credential(), new).await?;
    let org = view::org(org);
    Ok(CreatedAt(format!("/orgs/{}", org.slug), org))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS]);
    let description =
        "The caller becomes its Owner. Agents, and tokens bound to an organization, cannot create one.";
    operation(op, "createOrganization", "Organizations", "Create an organization", description)
}
