//! `POST /orgs/{slug}/items/{key}/attachments`: announces an attachment.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{AnnouncedAttachment, NewAttachment};
use svc_app::App;
use svc_app::tracker::attachments;
use svc_domain::attachment::Announced;
use svc_http::doc::operation;
use svc_http::paths::ItemPath;
use svc_http::{ApiResult, Body, Caller, CreatedOnce, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Body(new): Body<NewAttachment>,
) -> ApiResult<CreatedOnce<AnnouncedAttachment>> {
    let NewAttachment { name, size, content_type, sha256, for_comment } = new;
    let new =
        attachments::NewAttachment { announced: Announced { name, size, content_type, sha256 }, for_comment };
    let uploading = attachments::announce(&app, caller.at(&path.slug), &path.key, &new).await?;
    let announced = view::announced(&path.slug, uploading);
    Ok(CreatedOnce(format!("/orgs/{}/attachments/{}", path.slug, announced.attachment.id), announced))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "announceAttachment",
        "Attachments",
        "Announce an attachment",
        "Describe the file, and the answer says where to upload it. Upload the bytes, then commit; uncommitted \
         attachments are removed. For people who may change the item; with `forComment`, for everyone who may \
         comment, and the comment then names the attachment. If the size or type is not accepted, the error names \
         the limit. Answers 409 `conflict` when the item has no room for more attachments.",
    )
}
