//! Rows of attachments.

use svc_domain::attachment::Attachment;
use svc_domain::ids::{AttachmentId, ItemKey, OrgId};

use super::{item_pk, org_pk, sortable};
use crate::{Key, KeyOf};

/// Sort keys of an item's attachments begin with this.
pub const FILE_PREFIX: &str = "FILE#";

/// An attachment.
pub fn file(org: OrgId, key: &ItemKey, attachment: AttachmentId) -> KeyOf<Attachment> {
    KeyOf::new(item_pk(org, key), format!("{FILE_PREFIX}{attachment}"))
}

/// How many attachments an item has, those on their way included.
pub fn files(org: OrgId, key: &ItemKey) -> Key {
    Key::new(item_pk(org, key), "FILES")
}

/// How many bytes the attachments of an organization have, those on their way included: a counter.
pub fn stored(org: OrgId) -> Key {
    Key::new(org_pk(org), "STORED")
}

/// Item of an attachment, for addresses that do not name it.
pub fn file_ref(org: OrgId, attachment: AttachmentId) -> KeyOf<ItemKey> {
    KeyOf::new(format!("FILEREF#{org}#{attachment}"), "ITEM")
}

/// Shards of the attachments to look at.
pub const FILE_DUE_SHARDS: u32 = 4;

/// Partition of one shard of the attachments to look at.
pub fn file_due_pk(shard: u32) -> String {
    format!("FILEDUE#{shard}")
}

/// That an attachment is to be looked at from a time on.
pub fn file_due(due_millis: i64, attachment: AttachmentId) -> Key {
    let shard = attachment.0.as_u128() % u128::from(FILE_DUE_SHARDS);
    let shard = u32::try_from(shard).unwrap_or(0);
    Key::new(file_due_pk(shard), format!("{}#{attachment}", sortable(due_millis)))
}
