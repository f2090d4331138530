//! Announcing an attachment.

use svc_domain::access::Capability;
use svc_domain::attachment::upload::State;
use svc_domain::attachment::{Announced, Attachment, Limits, Target};
use svc_domain::event::ItemEvent;
use svc_domain::ids::{AttachmentId, ItemKey};
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Op, PresignedPut, keys};

use super::enter::require_person;
use super::{Count, Note, STORED, SeenAttachment, blob, counted, note, stored, upload_until};
use crate::App;
use crate::entry::{Caller, enter_project_with};
use crate::error::Result;
use crate::tracker::gone::item_row;
use crate::transaction::Transaction;

/// An attachment to announce.
#[derive(Clone, Debug)]
pub struct NewAttachment {
    /// What it will be.
    pub announced: Announced,
    /// Whether it is for a comment that is yet to be written.
    pub for_comment: bool,
}

/// An announced attachment, and where its bytes go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uploading {
    /// The attachment.
    pub seen: SeenAttachment,
    /// The request that writes its bytes; `None` when the server takes them itself.
    pub presigned: Option<PresignedPut>,
}

/// Announces an attachment of an item, or of a comment that is yet to be written on it.
///
/// # Errors
/// Every field that is not acceptable; [`Refusal::Conflict`] when the item has as many as it may.
pub async fn announce(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    new: &NewAttachment,
) -> Result<Uploading> {
    app.decide(|| announce_once(app, caller, key, new)).await
}

async fn announce_once(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    new: &NewAttachment,
) -> Result<Uploading> {
    let capability = if new.for_comment { Capability::Comment } else { Capability::Work };
    let wanted = |org| (keys::item(org, key), keys::files(org, key));
    let (entry, (item, count)) = enter_project_with(app, caller, &key.project, capability, wanted).await?;
    item_row(app, &entry, item, key).await?;
    require_person(&entry.access)?;
    let settings = &app.settings.attachments;
    let limits = Limits { max_bytes: settings.max_bytes, allowed_types: &settings.allowed_types };
    let announced = new.announced.checked(&limits)?;
    let (org, until) = (entry.org_id(), upload_until(app));
    let attachment = Attachment {
        id: AttachmentId(app.uuid()),
        item: key.clone(),
        target: if new.for_comment { Target::Comment(None) } else { Target::Item },
        name: announced.name,
        size: announced.size,
        declared_type: announced.content_type,
        sha256: announced.sha256,
        content: None,
        author: entry.actor().clone(),
        created_at: app.now(),
        upload_until: until,
        state: State::Awaited { until },
    };
    let count = count.as_ref();
    let files = count.map(svc_storage::Row::read::<Count>).transpose()?.unwrap_or_default().files;
    if files >= settings.max_per_item {
        return Err(
            Refusal::Conflict("the item has reached its limit of attachments; remove one first").into()
        );
    }
    let turn = app.row_locks.of_storage(org);
    let _turn = turn.lock().await;
    if let Some(most) = app.settings.storage_bytes(entry.org.plan) {
        let row = app.table.get(&keys::stored(org)).await?;
        let used = row.map_or(0, |row| u64::try_from(row.counter(STORED)).unwrap_or(0));
        if used.saturating_add(attachment.size) > most {
            let full = "the organization's attachments take as much room as its plan has; remove some first";
            return Err(Refusal::Conflict(full).into());
        }
    }
    let mut ops = vec![
        counted(org, key, count, |files| files + 1)?,
        stored(org, &attachment, 1),
        Op::check(keys::item(org, key), Condition::Present),
        Op::create(keys::file(org, key, attachment.id), &attachment),
        Op::create(keys::file_ref(org, attachment.id), key),
    ];
    ops.extend(note(&attachment).map(|key| Op::create(key, &Note::of(org, &attachment))));
    let announced = ItemEvent::UploadAnnounced(key.clone(), attachment.id);
    app.commit(Transaction::of(app, &entry).with(ops).telling(announced)).await?;
    let valid = std::time::Duration::from_mins(u64::from(settings.upload_minutes));
    let presigned = app.blobs.presign_put(&blob(org, attachment.id), attachment.size, valid).await?;
    Ok(Uploading { seen: SeenAttachment { attachment, can_remove: true }, presigned })
}
