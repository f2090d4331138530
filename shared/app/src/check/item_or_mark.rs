//! Finds the item that a row belongs to, even if it was deleted or moved to another project.

use svc_domain::deleted_item::DeletedItem;
use svc_domain::ids::{ItemKey, OrgId};
use svc_domain::item::Item;
use svc_storage::keys;

use super::context::{CheckContext, Stop};
use super::projects::is_gone;

/// The item, whether it is there or deleted. `None` where it can be brought back no more, itself or with its project, so
/// that what hangs on it may be gone, where it has another key now, and where nothing is, which is told.
pub(super) fn item_or_mark(
    context: &CheckContext<'_>,
    org: OrgId,
    key: &ItemKey,
    what: &str,
) -> Result<Option<Item>, Stop> {
    let name = keys::item(org, key);
    if let Some(item) = context.read(&name)? {
        return Ok(Some(item));
    }
    if let Some(deleted) = context.read::<DeletedItem>(&keys::deleted_item(org, key))? {
        let late = context.is_past(deleted.until());
        return Ok(deleted.item.filter(|_| !late));
    }
    if is_gone(context, org, &key.project)? {
        return Ok(None);
    }
    if !context.has(&keys::transfer(org, key))? {
        context.demand(&name, what)?;
    }
    Ok(None)
}
