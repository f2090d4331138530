//! What the tick does about attachments whose time is over: uploads that were never committed, attachments of
//! comments that were never written, and the rest of removals that were cut off.

use svc_domain::attachment::Attachment;
use svc_domain::attachment::upload::{Event, State, step};
use svc_domain::ids::ItemKey;
use svc_storage::{Condition, Op, Query, Range, keys};

use super::remove::discarded;
use super::{Note, blob, note};
use crate::App;
use crate::error::{Result, is_conflict};
use crate::transaction::Transaction;
use crate::wanted;

/// Notes that one sweep reads of a shard.
const SWEEP: usize = 100;

/// Looks at every attachment whose time has come; answers how many went.
///
/// # Errors
/// Those of storage.
pub async fn sweep(app: &App) -> Result<usize> {
    let mut gone = 0;
    for shard in 0..keys::FILE_DUE_SHARDS {
        let until = keys::sortable(app.now().as_millisecond().saturating_add(1));
        let range = Range::Between("0".to_owned(), until);
        for row in app.table.query(&Query::new(keys::file_due_pk(shard), range, SWEEP)).await?.rows {
            match look(app, &row.read()?, &row.key).await {
                Ok(went) => gone += usize::from(went),
                // Committed or referred to at this moment: the next look sees what became of it.
                Err(error) if is_conflict(&error) => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(gone)
}

/// Looks at one attachment; answers whether it went.
async fn look(app: &App, due: &Note, row: &svc_storage::Key) -> Result<bool> {
    let record = keys::file(due.org, &due.item, due.id);
    let (found, count) = wanted::load(app, (record, keys::files(due.org, &due.item))).await?;
    let Some(found) = found else {
        let at: Option<ItemKey> =
            app.table.find(&keys::file_ref(due.org, due.id)).await?.map(|row| row.read()).transpose()?;
        if at.is_some_and(|at| at != due.item) {
            // It follows its item to another key at this moment, and the note with it.
            return Ok(false);
        }
        // The rows went and what followed was cut off, or waited for this.
        app.blobs.delete(&blob(due.org, due.id)).await?;
        forget(app, row).await?;
        return Ok(false);
    };
    let attachment: Attachment = found.read()?;
    let (state, _) = step(attachment.state, attachment.target, Event::Look, app.now())?;
    if state == State::Removed {
        let mut ops = discarded(due.org, &attachment, found.version, count.as_ref())?;
        // This note stays until the bytes are gone.
        ops.retain(|op| op.key != *row);
        app.commit(Transaction::by_itself(app, due.org).with(ops)).await?;
        app.blobs.delete(&blob(due.org, due.id)).await?;
        forget(app, row).await?;
        return Ok(true);
    }
    if note(&attachment).as_ref() != Some(row) {
        forget(app, row).await?;
    }
    Ok(false)
}

/// Removes the note that says to look.
async fn forget(app: &App, note: &svc_storage::Key) -> Result<()> {
    app.commit(Transaction::bookkeeping(app).with([Op::delete(note.clone(), Condition::None)])).await
}
