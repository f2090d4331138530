//! `DELETE /orgs/{slug}/attachments/{id}`: removes an attachment.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::App;
use svc_app::tracker::attachments;
use svc_domain::ids::AttachmentId;
use svc_http::doc::operation;
use svc_http::paths::OrgIdPath;
use svc_http::{ApiResult, Caller, NoContent, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<AttachmentId>>,
) -> ApiResult<NoContent> {
    attachments::remove(&app, caller.at(&path.slug), path.id).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "deleteAttachment",
        "Attachments",
        "Remove an attachment",
        "For the person who attached it, and for Admins of the project. The item's history keeps its name.",
    )
}
