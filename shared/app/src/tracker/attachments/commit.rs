//! Committing an attachment: from then on it is seen.

use futures::StreamExt as _;
use jiff::SignedDuration;
use svc_domain::access::Capability;
use svc_domain::attachment::content::HEAD;
use svc_domain::attachment::upload::{Bytes, Effect, Event, State, step};
use svc_domain::attachment::{Arrived, Attachment};
use svc_domain::event::ItemEvent;
use svc_domain::ids::{AttachmentId, OrgId};
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_storage::{Condition, Op, StorageError, keys};

use super::enter::{find_with, may_remove, require_person};
use super::remove::discard;
use super::upload::sha256;
use super::{SeenAttachment, blob, replaced};
use crate::App;
use crate::entry::Caller;
use crate::error::Result;
use crate::tracker::counts::{Delta, recounted};
use crate::transaction::Transaction;

/// Compares what arrived with what was announced, and makes it an attachment. Doing it again is harmless.
///
/// # Errors
/// [`Refusal::Conflict`] when nothing has arrived; [`Refusal::Invalid`] when it is not what was announced: the
/// attachment is gone then.
pub async fn commit(app: &App, caller: Caller<'_>, id: AttachmentId) -> Result<SeenAttachment> {
    app.decide(|| commit_once(app, caller, id)).await
}

async fn commit_once(app: &App, caller: Caller<'_>, id: AttachmentId) -> Result<SeenAttachment> {
    let (found, count) = find_with(app, caller, id, Capability::Comment, keys::files).await?;
    let access = &found.entry.access;
    require_person(access)?;
    if found.attachment.author.id != access.actor.id {
        return Err(Refusal::Forbidden("only the person who announced an attachment can commit it").into());
    }
    let org = found.entry.org_id();
    let (mut after, bytes, wrong) = looked_at(app, org, &found.attachment).await?;
    let hours = SignedDuration::from_hours(i64::from(app.settings.attachments.unreferenced_hours));
    let loose_until = app.now().saturating_add(hours).unwrap_or(jiff::Timestamp::MAX);
    let event = Event::Commit { bytes, loose_until };
    let (state, effects) = step(after.state, after.target, event, app.now())?;
    if state == State::Removed {
        discard(app, &found, count.as_ref(), false).await?;
        return Err(wrong.unwrap_or_default().into());
    }
    after.state = state;
    if !effects.is_empty() {
        let ops = replaced(org, &found.attachment, found.row_version, &after);
        let mut transaction = Transaction::of(app, &found.entry).with(ops);
        if after.is_public() {
            let delta = Delta { attachments: 1, ..Delta::default() };
            transaction.save(recounted(app, org, &found.item, delta).await?);
        } else {
            transaction.write([Op::check(keys::item(org, &after.item), Condition::Present)]);
        }
        if effects.contains(&Effect::Tell) {
            transaction.tell(ItemEvent::Attached(after.item.clone(), after.id, after.name.clone()));
        }
        app.commit(transaction).await?;
    }
    let can_remove = may_remove(&found.entry.access, &after);
    Ok(SeenAttachment { attachment: after, can_remove })
}

/// The attachment with what its bytes are, whether they are right, and what is wrong with them. What is
/// committed is not looked at again.
async fn looked_at(
    app: &App,
    org: OrgId,
    attachment: &Attachment,
) -> Result<(Attachment, Bytes, Option<FieldErrors>)> {
    let mut after = attachment.clone();
    if !matches!(attachment.state, State::Awaited { .. }) {
        return Ok((after, Bytes::Right, None));
    }
    let Some(arrived) = arrived(app, org, attachment).await? else {
        return Ok((after, Bytes::Missing, None));
    };
    match attachment.verify(&arrived) {
        Ok(content) => {
            after.content = Some(content);
            Ok((after, Bytes::Right, None))
        }
        Err(wrong) => Ok((after, Bytes::Wrong, Some(wrong))),
    }
}

async fn arrived(app: &App, org: OrgId, attachment: &Attachment) -> Result<Option<Arrived>> {
    let key = blob(org, attachment.id);
    let mut read = match app.blobs.read(&key, Some(0..HEAD)).await {
        Ok(read) => read,
        Err(StorageError::NotFound(_)) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let mut head = Vec::new();
    while let Some(piece) = read.bytes.next().await {
        head.extend_from_slice(&piece.map_err(StorageError::Unavailable)?);
    }
    let sum = match &attachment.sha256 {
        // Larger than announced is wrong already.
        Some(_) if read.size == attachment.size => {
            Some(sha256(app.blobs.read(&key, None).await?.bytes).await?)
        }
        Some(_) | None => None,
    };
    Ok(Some(Arrived { size: read.size, head, sha256: sum }))
}
