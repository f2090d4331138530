//! What the wire shows of attachments.

use svc_api::tracker as wire;
use svc_app::tracker::attachments::{SeenAttachment, Uploading};
use svc_domain::attachment::upload::State;
use svc_domain::ids::OrgSlug;

use crate::actor::actor;

/// An attachment.
pub fn attachment(slug: &OrgSlug, seen: SeenAttachment) -> wire::Attachment {
    let SeenAttachment { attachment, can_remove } = seen;
    let content = attachment.served();
    wire::Attachment {
        id: attachment.id.to_string(),
        item: attachment.item.to_string(),
        comment: attachment.comment().map(|id| id.to_string()),
        name: attachment.name,
        size: attachment.size,
        content_type: content.content_type,
        is_image: content.is_image,
        width: content.width,
        height: content.height,
        committed: matches!(attachment.state, State::Loose { .. } | State::Attached),
        url: format!("/api/v1/orgs/{slug}/attachments/{}/content", attachment.id),
        author: actor(&attachment.author),
        created_at: attachment.created_at,
        can_delete: can_remove,
    }
}

/// An announced attachment, and how to upload its bytes.
pub fn announced(slug: &OrgSlug, uploading: Uploading) -> wire::AnnouncedAttachment {
    let expires_at = uploading.seen.attachment.upload_until;
    let attachment = attachment(slug, uploading.seen);
    let (url, headers) = match uploading.presigned {
        Some(request) => (request.url, request.headers),
        None => (attachment.url.clone(), vec![]),
    };
    let header = |(name, value)| wire::UploadHeader { name, value };
    let headers = headers.into_iter().map(header).collect();
    let upload = wire::Upload { method: "PUT".to_owned(), url, headers, expires_at };
    wire::AnnouncedAttachment { attachment, upload }
}
