//! Attachments of items and comments (specification sections 4.2 and 4.3 rule 8).

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::identity::Actor;

/// A file on an item or on a comment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Attachment {
    /// Id.
    pub id: String,
    /// Key of the item.
    pub item: String,
    /// Id of the comment that it belongs to; absent if it belongs to the item itself.
    #[serde(default)]
    #[schemars(example = &"01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d")]
    pub comment: Option<String>,
    /// Name of the file.
    pub name: String,
    /// Size in bytes.
    pub size: u64,
    /// Media type that it is served with. For types that a browser might run, such as HTML and SVG, it is
    /// `application/octet-stream`.
    #[schemars(example = &"image/png")]
    pub content_type: String,
    /// Whether it is an image that browsers can show.
    #[serde(default)]
    pub is_image: bool,
    /// Width of the image in pixels, if known.
    #[serde(default)]
    pub width: Option<u32>,
    /// Height of the image in pixels, if known.
    #[serde(default)]
    pub height: Option<u32>,
    /// Whether its bytes have arrived and were checked. Until then, only the person who announced it sees it.
    pub committed: bool,
    /// Path of this instance to download it from, with the same credential.
    pub url: String,
    /// Who attached it.
    pub author: Actor,
    /// When it was announced.
    pub created_at: Timestamp,
    /// Whether the caller may remove it.
    #[serde(default)]
    pub can_delete: bool,
}

/// Announces an attachment (`POST …/items/{key}/attachments`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewAttachment {
    /// Name of the file. A path before it and invisible characters are removed.
    #[schemars(example = "screenshot.png")]
    pub name: String,
    /// Size in bytes, 1 to the limit of the instance.
    #[schemars(example = 48_213)]
    pub size: u64,
    /// Media type; `application/octet-stream` if it is not known.
    #[schemars(example = "image/png")]
    pub content_type: String,
    /// SHA-256 of the bytes, 64 hexadecimal digits; checked if given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Whether it is for a comment that you write afterwards; the comment then names it in `attachments`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub for_comment: bool,
}

/// An announced attachment and where its bytes go.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnnouncedAttachment {
    /// The attachment.
    pub attachment: Attachment,
    /// The request that uploads the bytes. Commit the attachment afterwards.
    pub upload: Upload,
}

/// A request that uploads the bytes of an attachment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Upload {
    /// Method: `PUT`.
    #[schemars(example = &"PUT")]
    pub method: String,
    /// Address. If it begins with `/`, it is a path of this instance and needs your credential. Any other
    /// address works without the credential; do not send it there.
    pub url: String,
    /// Headers that the request must carry.
    pub headers: Vec<UploadHeader>,
    /// Deadline for uploading the bytes and committing the attachment.
    pub expires_at: Timestamp,
}

/// A header of an upload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadHeader {
    /// Name.
    pub name: String,
    /// Value.
    pub value: String,
}
