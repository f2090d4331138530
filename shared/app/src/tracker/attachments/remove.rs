//! Removing an attachment: rows, then bytes, then the note that says to look again.

use svc_domain::access::Capability;
use svc_domain::attachment::Attachment;
use svc_domain::attachment::upload::{Effect, Event, step};
use svc_domain::event::ItemEvent;
use svc_domain::ids::{AttachmentId, CommentId, ItemKey, OrgId};
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Key, Op, Query, Range, Row, keys};

use super::enter::{Found, find_with, may_remove, require_person};
use super::{Note, after_grace, blob, counted, note, stored};
use crate::App;
use crate::entry::Caller;
use crate::error::Result;
use crate::tracker::comments;
use crate::tracker::counts::{Delta, recounted};
use crate::transaction::Transaction;
use crate::wanted;

/// Removes an attachment. For its author, and who configures the project.
///
/// # Errors
/// [`Refusal::Forbidden`] for others.
pub async fn remove(app: &App, caller: Caller<'_>, id: AttachmentId) -> Result<()> {
    app.decide(|| remove_once(app, caller, id)).await
}

async fn remove_once(app: &App, caller: Caller<'_>, id: AttachmentId) -> Result<()> {
    let (found, count) = find_with(app, caller, id, Capability::Comment, keys::files).await?;
    let (access, attachment) = (&found.entry.access, &found.attachment);
    require_person(access)?;
    if !may_remove(access, attachment) {
        let who = "only the person who attached it or an Admin of the project can remove an attachment";
        return Err(Refusal::Forbidden(who).into());
    }
    let (_, effects) = step(attachment.state, attachment.target, Event::Remove, app.now())?;
    discard(app, &found, count.as_ref(), effects.contains(&Effect::Tell)).await
}

/// Takes away what was attached to a comment that was deleted. Doing it again is harmless.
///
/// # Errors
/// Those of storage.
pub async fn clear(app: &App, org: OrgId, item: &ItemKey, comment: CommentId) -> Result<()> {
    let range = Range::Prefix(keys::FILE_PREFIX.to_owned());
    for row in app.table.query_all(Query::new(keys::item_pk(org, item), range, 1_000)).await? {
        let attachment: Attachment = row.read()?;
        if attachment.comment() == Some(comment) {
            app.decide(|| clear_one(app, org, &row.key, item)).await?;
        }
    }
    Ok(())
}

/// Takes one attachment of an item away, by the name of its row.
///
/// # Errors
/// Those of storage.
pub(in crate::tracker) async fn clear_one(app: &App, org: OrgId, key: &Key, item: &ItemKey) -> Result<()> {
    let [found, count] = wanted::load(app, [key.clone(), keys::files(org, item)]).await?;
    match found {
        Some(row) => {
            let transaction = Transaction::by_itself(app, org);
            take_away(app, org, &row.read()?, row.version, count.as_ref(), transaction).await
        }
        None => Ok(()),
    }
}

/// Takes an attachment away, and tells of it where it is worth telling. `count` is the row of the item's count.
pub(super) async fn discard(app: &App, found: &Found, count: Option<&Row>, tell: bool) -> Result<()> {
    let attachment = &found.attachment;
    let mut transaction = Transaction::of(app, &found.entry);
    let org = found.entry.org_id();
    if attachment.is_public() && is_for_all(app, org, attachment).await? {
        let delta = Delta { attachments: -1, ..Delta::default() };
        transaction.save(recounted(app, org, &found.item, delta).await?);
    }
    if tell {
        let (item, name) = (attachment.item.clone(), attachment.name.clone());
        transaction.tell(ItemEvent::Detached(item, attachment.id, name));
    }
    take_away(app, org, attachment, found.row_version, count, transaction).await
}

/// Whether everybody who sees the item sees an attachment.
async fn is_for_all(app: &App, org: OrgId, attachment: &Attachment) -> Result<bool> {
    let Some(comment) = attachment.comment() else { return Ok(true) };
    match app.table.find(&keys::comment(org, &attachment.item, comment)).await? {
        Some(row) => comments::is_for_all(app, org, &attachment.item, &row.read()?).await,
        None => Ok(false),
    }
}

/// How many attachments a comment has.
pub(in crate::tracker) async fn count_of_comment(
    app: &App,
    org: OrgId,
    item: &ItemKey,
    comment: CommentId,
) -> Result<i32> {
    let range = Range::Prefix(keys::FILE_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::item_pk(org, item), range, 1_000)).await?;
    let files: Vec<Attachment> = rows.iter().map(Row::read).collect::<Result<_, _>>()?;
    let own = files.iter().filter(|file| file.is_public() && file.comment() == Some(comment)).count();
    Ok(i32::try_from(own).unwrap_or_default())
}

/// Rows, then bytes, then the note.
async fn take_away(
    app: &App,
    org: OrgId,
    attachment: &Attachment,
    version: u64,
    count: Option<&Row>,
    transaction: Transaction,
) -> Result<()> {
    let mut ops = discarded(org, attachment, version, count)?;
    // The note stays until nothing that was permitted can arrive any more.
    let due = after_grace(attachment.upload_until).max(app.now());
    let note = keys::file_due(due.as_millisecond(), attachment.id);
    ops.push(Op::put(note.clone(), Condition::None, &Note::of(org, attachment)));
    app.commit(transaction.with(ops)).await?;
    let deleted = app.blobs.delete(&blob(org, attachment.id)).await;
    let cleared = match deleted {
        Ok(()) if due <= app.now() => {
            app.commit(Transaction::bookkeeping(app).with([Op::delete(note, Condition::None)])).await
        }
        Ok(()) => Ok(()),
        Err(error) => Err(error.into()),
    };
    if let Err(error) = cleared {
        tracing::warn!(%error, "the bytes of an attachment are left to the tick");
    }
    Ok(())
}

/// The operations that take an attachment's rows away, its note among them.
pub(super) fn discarded(
    org: OrgId,
    attachment: &Attachment,
    version: u64,
    count: Option<&Row>,
) -> Result<Vec<Op>> {
    let item = &attachment.item;
    let mut ops = vec![
        Op::delete(keys::file(org, item, attachment.id), Condition::Version(version)),
        Op::delete(keys::file_ref(org, attachment.id), Condition::None),
        counted(org, item, count, |files| files.saturating_sub(1))?,
        stored(org, attachment, -1),
    ];
    // A commit names each row once: the note of a state that ends with the upload's time is the one that stays.
    let stays = keys::file_due(after_grace(attachment.upload_until).as_millisecond(), attachment.id);
    ops.extend(note(attachment).filter(|key| *key != stays).map(|key| Op::delete(key, Condition::None)));
    Ok(ops)
}
