//! Attachments of items and comments (specification sections 4.2 and 4.3 rule 8).
//!
//! Protocol.
//! 1. *Announce*: name, size, type. One commit writes the record, the reference by id, the item's count and a
//!    reminder to look at it again. The answer says where to upload the bytes: to object storage by a presigned
//!    request, or to the server.
//! 2. The bytes are stored once, under a name that only this attachment has. Nobody sees them yet.
//! 3. *Commit*: the bytes are compared with the announcement. If they match, the attachment belongs to the item,
//!    or waits for the comment that refers to it. If they do not match, it is removed.
//! 4. An attachment that is not committed, or not referred to, in time is removed by the reminder of step 1: rows
//!    first, then bytes, then the reminder. If this is interrupted, the reminder is still there.
//!
//! An uploader may still be writing when the rows are removed. The reminder therefore stays until [`GRACE`] after
//! the last moment at which an upload is permitted. Bytes that arrive without a record are removed by whoever
//! wrote them or by the reminder.

mod announce;
mod commit;
mod enter;
mod follow;
mod read;
mod refer;
mod remove;
mod sweep;
mod upload;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use svc_domain::attachment::Attachment;
use svc_domain::attachment::upload::State;
use svc_domain::ids::{AttachmentId, ItemKey, OrgId};
use svc_storage::{BlobKey, Condition, Key, Op, Retention, keys};

pub use announce::{NewAttachment, Uploading, announce};
pub use commit::commit;
pub(super) use follow::follow;
pub(crate) use read::seen_of;
pub use read::{Bytes, get, list, open};
pub(super) use refer::refer;
pub use remove::{clear, remove};
pub(super) use remove::{clear_one, count_of_comment};
pub use sweep::sweep;
pub use upload::upload;

use crate::App;

/// How long after the end of its time an upload may still be on its way to its name.
const GRACE: SignedDuration = SignedDuration::from_mins(10);

/// How long a presigned address of a download works.
const DOWNLOAD_VALID: std::time::Duration = std::time::Duration::from_mins(5);

/// The counter of bytes.
pub(crate) const STORED: &str = "bytes";

/// An attachment as a caller sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenAttachment {
    /// The attachment.
    pub attachment: Attachment,
    /// Whether the caller may remove it.
    pub can_remove: bool,
}

/// How many attachments an item has.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Count {
    pub(crate) files: u64,
}

/// An attachment to look at.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Note {
    pub(crate) org: OrgId,
    pub(crate) item: ItemKey,
    pub(crate) id: AttachmentId,
}

impl Note {
    fn of(org: OrgId, attachment: &Attachment) -> Self {
        Self { org, item: attachment.item.clone(), id: attachment.id }
    }
}

/// Name of an attachment's bytes.
pub(crate) fn blob(org: OrgId, id: AttachmentId) -> BlobKey {
    BlobKey::new(Retention::Attachment, &format!("{org}/{id}"))
}

/// The note that stands for an attachment's state; none when nobody needs to look at it.
pub(crate) fn note(attachment: &Attachment) -> Option<Key> {
    let due = match attachment.state {
        State::Awaited { until } | State::Loose { until } => after_grace(until),
        State::Attached | State::Removed => return None,
    };
    Some(keys::file_due(due.as_millisecond(), attachment.id))
}

/// When no upload can be on its way any more that was permitted until `until`.
fn after_grace(until: Timestamp) -> Timestamp {
    until.saturating_add(GRACE).unwrap_or(Timestamp::MAX)
}

/// The operations that replace a record by its next state, with the note that the state needs.
fn replaced(org: OrgId, before: &Attachment, version: u64, after: &Attachment) -> Vec<Op> {
    let mut ops = vec![Op::replace(keys::file(org, &after.item, after.id), version, after)];
    let (old, new) = (note(before), note(after));
    if old != new {
        ops.extend(old.map(|key| Op::delete(key, Condition::None)));
        ops.extend(new.map(|key| Op::put(key, Condition::None, &Note::of(org, after))));
    }
    ops
}

/// The item's count with one more or fewer; `row` is the count as it was read.
fn counted(
    org: OrgId,
    item: &ItemKey,
    row: Option<&svc_storage::Row>,
    change: impl FnOnce(u64) -> u64,
) -> crate::Result<Op> {
    let count: Count = row.map(svc_storage::Row::read).transpose()?.unwrap_or_default();
    let condition = row.map_or(Condition::Absent, |row| Condition::Version(row.version));
    Ok(Op::put(keys::files(org, item), condition, &Count { files: change(count.files) }))
}

/// Counts the bytes of an attachment that comes (1) or goes (-1).
fn stored(org: OrgId, attachment: &Attachment, sign: i64) -> Op {
    let bytes = i64::try_from(attachment.size).unwrap_or(i64::MAX);
    Op::add(keys::stored(org), STORED, bytes.saturating_mul(sign))
}

/// When the time of an upload that begins now is over.
fn upload_until(app: &App) -> Timestamp {
    let minutes = SignedDuration::from_mins(i64::from(app.settings.attachments.upload_minutes));
    app.now().saturating_add(minutes).unwrap_or(Timestamp::MAX)
}
