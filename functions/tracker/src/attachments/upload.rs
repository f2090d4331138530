//! `PUT /orgs/{slug}/attachments/{id}/content`: takes the bytes of an announced attachment.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::App;
use svc_app::tracker::attachments;
use svc_domain::ids::AttachmentId;
use svc_http::content::Upload;
use svc_http::doc::operation;
use svc_http::paths::OrgIdPath;
use svc_http::{ApiResult, Caller, NoContent, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<AttachmentId>>,
    upload: Upload,
) -> ApiResult<NoContent> {
    attachments::upload(&app, caller.at(&path.slug), path.id, upload.bytes).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "uploadAttachment",
        "Attachments",
        "Upload an attachment's bytes",
        "For attachments whose announcement names this address; the others are uploaded to object storage. \
         Send exactly as many bytes as announced: otherwise nothing is kept, and you can send them again. \
         Repeating the upload is harmless.",
    )
}
