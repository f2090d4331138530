//! `GET /orgs/{slug}/attachments/{id}`: an attachment.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::Attachment;
use svc_app::App;
use svc_app::tracker::attachments;
use svc_domain::ids::AttachmentId;
use svc_http::doc::operation;
use svc_http::paths::OrgIdPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<AttachmentId>>,
) -> ApiResult<Json<Attachment>> {
    let seen = attachments::get(&app, caller.at(&path.slug), path.id).await?;
    Ok(Json(view::attachment(&path.slug, seen)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "getAttachment",
        "Attachments",
        "View an attachment",
        "For everyone who can see its item. The agent of a run sees the attachments of its own item.",
    )
}
