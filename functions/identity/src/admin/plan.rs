//! `PUT /admin/orgs/{slug}/plan`: the plan of an organization.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::administration::{InstanceOrganization, SetPlan};
use svc_app::{App, administration};
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::administration as view;
use svc_present::words;

use super::{administers, by};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Body(body): Body<SetPlan>,
) -> ApiResult<Json<InstanceOrganization>> {
    let plan = body.plan.map(|plan| words::read("plan", plan)).transpose()?;
    Ok(Json(view::org(administration::set_plan(&app, by(&caller), &path.slug, plan).await?)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "The plan says how long run logs are kept, and how many attachments there may be. What an earlier plan had deleted does not come back.";
    administers(op, "setPlan", "Set the plan of an organization", description)
}
