//! How a request reaches an attachment, and who sees it.

use std::collections::BTreeSet;

use svc_domain::access::{Access, Capability, Standing};
use svc_domain::attachment::Attachment;
use svc_domain::ids::{AttachmentId, CommentId, ItemKey, OrgId};
use svc_domain::item::Item;
use svc_domain::refusal::Refusal;
use svc_storage::{Row, RowOf, keys};

use crate::App;
use crate::entry::{Caller, Entry, enter_unasked};
use crate::error::Result;
use crate::tracker::comments;
use crate::tracker::gone::item_row;
use crate::wanted;
use crate::wanted::Wanted;

/// An attachment on the way through a use case.
pub(super) struct Found {
    /// The caller.
    pub(super) entry: Entry,
    /// Its item.
    pub(super) item: RowOf<Item>,
    pub(super) attachment: Attachment,
    pub(super) row_version: u64,
}

/// Finds an attachment that the caller sees, asking for one capability in its project.
pub(super) async fn find(
    app: &App,
    caller: Caller<'_>,
    id: AttachmentId,
    capability: Capability,
) -> Result<Found> {
    Ok(find_with(app, caller, id, capability, |_, _| ()).await?.0)
}

/// As [`find`], and loads rows in the same round trip.
pub(super) async fn find_with<W: Wanted>(
    app: &App,
    caller: Caller<'_>,
    id: AttachmentId,
    capability: Capability,
    wanted: impl Fn(OrgId, &ItemKey) -> W,
) -> Result<(Found, W::Rows)> {
    let (_, row) = enter_unasked(app, caller, None, |org| keys::file_ref(org, id)).await?;
    let item: ItemKey = row.ok_or(Refusal::NotFound)?.read()?;
    let wanted = |org| (keys::file(org, &item, id), keys::item(org, &item), wanted(org, &item));
    let (entry, (row, item_of, rows)) = enter_unasked(app, caller, Some(&item.project), wanted).await?;
    // What must not be seen comes before what is not permitted.
    let permitted = match entry.access.require(capability) {
        Err(Refusal::NotFound) => return Err(Refusal::NotFound.into()),
        other => other,
    };
    let row = row.ok_or(Refusal::NotFound)?;
    let attachment: Attachment = row.read()?;
    require_own_item(app, &entry.access, &item).await?;
    if !attachment.is_public() && attachment.author.id != entry.actor().id {
        return Err(Refusal::NotFound.into());
    }
    let comment: BTreeSet<CommentId> = attachment.comment().into_iter().collect();
    if !hidden(app, &entry, &item, &comment).await?.is_empty() {
        return Err(Refusal::NotFound.into());
    }
    permitted?;
    let item = item_row(app, &entry, item_of, &item).await?;
    Ok((Found { entry, item, attachment, row_version: row.version }, rows))
}

/// Those of the comments that are deleted, or that the caller must not see: what belongs to them is not shown
/// either (specification section 2.9).
pub(super) async fn hidden(
    app: &App,
    entry: &Entry,
    item: &ItemKey,
    comments: &BTreeSet<CommentId>,
) -> Result<BTreeSet<CommentId>> {
    let mut hidden = BTreeSet::new();
    let ids: Vec<CommentId> = comments.iter().copied().collect();
    for ids in ids.chunks(100) {
        let wanted: Vec<_> = ids.iter().map(|id| keys::comment(entry.org_id(), item, *id)).collect();
        for (row, id) in wanted::load(app, wanted).await?.into_iter().zip(ids) {
            let shown = match row.map(|row| row.read()).transpose()? {
                Some(comment) => !comment.deleted && comments::sees(app, entry, item, &comment).await?,
                None => false,
            };
            if !shown {
                hidden.insert(*id);
            }
        }
    }
    Ok(hidden)
}

/// The agent of a run sees the attachments of the item that it works on, and no others.
pub(super) async fn require_own_item(app: &App, access: &Access, item: &ItemKey) -> Result<()> {
    let Standing::Agent { run, .. } = &access.standing else { return Ok(()) };
    let pointer: Option<Row> = app.table.get(&keys::item_run(access.org, item, *run)).await?;
    if pointer.is_some() { Ok(()) } else { Err(Refusal::NotFound.into()) }
}

/// Agents read attachments and change none.
pub(super) fn require_person(access: &Access) -> Result<(), Refusal> {
    match access.standing {
        Standing::Member(_) => Ok(()),
        Standing::Agent { .. } => {
            Err(Refusal::Forbidden("agents can read attachments, but only people can add and remove them"))
        }
    }
}

/// Whether the caller may remove an attachment: its author, and who configures the project.
pub(super) fn may_remove(access: &Access, attachment: &Attachment) -> bool {
    let person = require_person(access).is_ok();
    let own = attachment.author.id == access.actor.id;
    person && access.may(Capability::Comment) && (own || access.may(Capability::ConfigureProject))
}
