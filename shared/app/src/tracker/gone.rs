//! Items that are not where they were: whoever asks for one that was deleted is told so.

use svc_domain::deleted_item::DeletedItem;
use svc_domain::ids::{ItemKey, OrgId};
use svc_domain::refusal::Refusal;
use svc_storage::{Row, keys};

use crate::App;
use crate::entry::Entry;
use crate::error::{Error, Result};

/// The row of an item that was asked for with the entry, at this place among its rows.
///
/// # Errors
/// [`Refusal::ItemDeleted`], [`Refusal::NotFound`].
pub(crate) async fn item_row(app: &App, entry: &mut Entry, at: usize, key: &ItemKey) -> Result<Row> {
    match entry.rows.get_mut(at).and_then(Option::take) {
        Some(row) => Ok(row),
        None => Err(why_not_there(app, entry.org_id(), key).await),
    }
}

/// Refuses what belongs to an item that was deleted, by the row of deleted items.
///
/// # Errors
/// [`Refusal::ItemDeleted`].
pub(crate) fn require_not_deleted(app: &App, row: Option<&Row>) -> Result<()> {
    match row {
        Some(row) => Err(row.read::<DeletedItem>()?.refusal(app.now()).into()),
        None => Ok(()),
    }
}

/// Why there is no such item.
async fn why_not_there(app: &App, org: OrgId, key: &ItemKey) -> Error {
    match app.table.get(&keys::deleted_item(org, key)).await {
        Ok(row) => require_not_deleted(app, row.as_ref()).err().unwrap_or(Refusal::NotFound.into()),
        Err(error) => error.into(),
    }
}
