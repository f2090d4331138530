//! Items that are not where they were: whoever asks for one that was deleted is told so, and whoever asks for one that was
//! moved to a project that they see learns its new key.

use std::collections::BTreeSet;

use svc_domain::deleted_item::DeletedItem;
use svc_domain::ids::{ItemKey, OrgId};
use svc_domain::refusal::Refusal;
use svc_storage::{RowOf, keys};

use crate::App;
use crate::entry::Entry;
use crate::error::{Error, Result};
use crate::visible_projects::visible_projects;

/// The row of an item that was asked for on the way in, or why it is not there.
///
/// # Errors
/// [`Refusal::ItemDeleted`], [`Refusal::ItemTransferred`], [`Refusal::NotFound`].
pub(crate) async fn item_row<T>(
    app: &App,
    entry: &Entry,
    row: Option<RowOf<T>>,
    key: &ItemKey,
) -> Result<RowOf<T>> {
    match row {
        Some(row) => Ok(row),
        None => Err(why_not_there(app, entry, key).await),
    }
}

/// Refuses what belongs to an item that was deleted, by the row of deleted items.
///
/// # Errors
/// [`Refusal::ItemDeleted`].
pub(crate) fn require_not_deleted(app: &App, row: Option<&RowOf<DeletedItem>>) -> Result<()> {
    match row {
        Some(row) => Err(row.read()?.refusal(app.now()).into()),
        None => Ok(()),
    }
}

/// The key that an item has now which had this one; `None` where it did not move.
pub(crate) async fn key_now(app: &App, org: OrgId, key: &ItemKey) -> Result<Option<ItemKey>> {
    let mut now: Option<ItemKey> = None;
    // Every key is given once, so the way ends.
    while let Some(row) = app.table.find(&keys::transfer(org, now.as_ref().unwrap_or(key))).await? {
        now = Some(row.read()?.to);
    }
    Ok(now)
}

/// Why there is no such item.
async fn why_not_there(app: &App, entry: &Entry, key: &ItemKey) -> Error {
    match reason(app, entry, key).await {
        Ok(refusal) => refusal.into(),
        Err(error) => error,
    }
}

async fn reason(app: &App, entry: &Entry, key: &ItemKey) -> Result<Refusal> {
    if let Some(row) = app.table.find(&keys::deleted_item(entry.org_id(), key)).await? {
        return Ok(row.read()?.refusal(app.now()));
    }
    let Some(to) = key_now(app, entry.org_id(), key).await? else { return Ok(Refusal::NotFound) };
    let visible = visible_projects(app, &entry.access, BTreeSet::from([to.project.clone()])).await?;
    Ok(if visible.is_empty() {
        Refusal::NotFound
    } else {
        Refusal::ItemTransferred { from: key.clone(), to }
    })
}
