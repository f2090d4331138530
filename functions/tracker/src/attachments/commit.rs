//! `POST /orgs/{slug}/attachments/{id}/commit`: makes what was uploaded an attachment.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::Attachment;
use svc_app::App;
use svc_app::tracker::attachments;
use svc_domain::ids::AttachmentId;
use svc_http::doc::{operation, refuses};
use svc_http::paths::OrgIdPath;
use svc_http::problems::VALIDATION;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<AttachmentId>>,
) -> ApiResult<Json<Attachment>> {
    let seen = attachments::commit(&app, caller.at(&path.slug), path.id).await?;
    Ok(Json(view::attachment(&path.slug, seen)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[VALIDATION]);
    operation(
        op,
        "commitAttachment",
        "Attachments",
        "Commit an attachment",
        "Checks size, type and SHA-256 against the announcement. If they differ, the attachment is discarded: \
         announce it again. Answers 409 `conflict` when nothing has been uploaded. Repeating a commit is harmless.",
    )
}
