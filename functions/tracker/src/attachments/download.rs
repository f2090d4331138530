//! `GET /orgs/{slug}/attachments/{id}/content`: the bytes of an attachment.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use axum::http::HeaderMap;
use svc_app::App;
use svc_app::tracker::attachments::{self, Bytes};
use svc_domain::attachment::name::disposition;
use svc_domain::ids::AttachmentId;
use svc_http::content::{Download, File};
use svc_http::doc::{operation, refuses};
use svc_http::paths::OrgIdPath;
use svc_http::problems::RANGE;
use svc_http::{ApiResult, Caller, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<AttachmentId>>,
    headers: HeaderMap,
) -> ApiResult<Download> {
    let (attachment, bytes) = attachments::open(&app, caller.at(&path.slug), path.id).await?;
    let stored = match bytes {
        Bytes::Elsewhere(address) => return Download::elsewhere(&address),
        Bytes::Here(stored) => stored,
    };
    let content = attachment.served();
    let file = File {
        disposition: disposition(&attachment.name, content.is_image),
        content_type: content.content_type,
        size: attachment.size,
        tag: attachment.id.to_string(),
        kept: false,
    };
    Download::of(&headers, &file, async |part| stored.read(&app, part).await).await
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[RANGE]);
    operation(
        op,
        "downloadAttachment",
        "Attachments",
        "Download an attachment",
        "The bytes, or a part of them with `Range`. If files are in object storage, the answer is 302 to an \
         address that works for a few minutes; do not send the credential there. Browsers show images and \
         save everything else; they never run anything in a file.",
    )
}
