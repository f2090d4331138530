//! `PATCH /orgs/{slug}/views/{viewId}`: changes a saved view of an organization.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{SavedView, UpdateView};
use svc_app::App;
use svc_app::tracker::views::{self, ViewsOf};
use svc_http::doc::{operation, refuses};
use svc_http::problems::ALREADY_EXISTS;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::tracker::{read, view};

use super::OrgViewPath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgViewPath>,
    Body(update): Body<UpdateView>,
) -> ApiResult<Json<SavedView>> {
    let (caller, update) = (caller.at(&path.slug), read::update_view(update)?);
    let changed = views::update(&app, caller, ViewsOf::Organization, path.view_id, &update).await?;
    Ok(Json(view::saved_view(changed)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS]);
    operation(
        op,
        "updateOrgView",
        "Organizations",
        "Change a saved view of an organization",
        "For the person who made it; Owners and Admins can change shared views too.",
    )
}
