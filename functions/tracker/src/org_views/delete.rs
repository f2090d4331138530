//! `DELETE /orgs/{slug}/views/{viewId}`: deletes a saved view of an organization.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::App;
use svc_app::tracker::views::{self, ViewsOf};
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, NoContent, Path};

use super::OrgViewPath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgViewPath>,
) -> ApiResult<NoContent> {
    views::delete(&app, caller.at(&path.slug), ViewsOf::Organization, path.view_id).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "deleteOrgView",
        "Organizations",
        "Delete a saved view of an organization",
        "For the person who made it; Owners and Admins can delete shared views too.",
    )
}
