//! Whether an item waits for another, directly or by the items in between.

use std::collections::BTreeSet;

use svc_domain::deleted_item::DeletedItem;
use svc_domain::ids::{ItemKey, OrgId};
use svc_domain::item::Item;
use svc_domain::item_link::LinkKind;
use svc_domain::refusal::Refusal;
use svc_storage::{Limits, RowOf, keys};

use crate::App;
use crate::error::Result;
use crate::tracker::gone::key_now;
use crate::wanted;

/// Items that are read at most to find out.
const MOST: usize = 2_000;

/// Items in a row that may wait for each other: each of them is a read after the other.
const DEEPEST: usize = 200;

/// Whether the item waits for the other one.
///
/// # Errors
/// [`Refusal::Invalid`] where too many items are in between to tell.
pub(super) async fn waits_for(app: &App, org: OrgId, item: &Item, other: &ItemKey) -> Result<bool> {
    let mut known = BTreeSet::from([item.key.clone()]);
    let mut next: Vec<ItemKey> = item.linked(LinkKind::BlockedBy).cloned().collect();
    let mut depth = 0;
    while !next.is_empty() {
        if next.contains(other) {
            return Ok(true);
        }
        depth += 1;
        if depth > DEEPEST {
            let message =
                format!("The chain of blocking items is longer than {DEEPEST}. Remove one of their links.");
            return Err(Refusal::invalid("item", message).into());
        }
        next.retain(|key| known.insert(key.clone()));
        if known.len() > MOST {
            let message =
                format!("More than {MOST} items block each other here. Remove some of their links.");
            return Err(Refusal::invalid("item", message).into());
        }
        let mut further = Vec::new();
        for chunk in next.chunks(Limits::KEYS / 2) {
            // Deleted items may come back, and their links with them.
            let places = |key| (keys::item(org, key), keys::deleted_item(org, key));
            let wanted: Vec<_> = chunk.iter().map(places).collect();
            for (key, (there, deleted)) in chunk.iter().zip(wanted::load(app, wanted).await?) {
                let item = item_of(there.as_ref(), deleted.as_ref())?;
                if item.is_none() {
                    further.extend(key_now(app, org, key).await?);
                }
                further.extend(item.iter().flat_map(|item| item.linked(LinkKind::BlockedBy)).cloned());
            }
        }
        next = further;
    }
    Ok(false)
}

/// The item of two rows: its own, and the one that it has after it was deleted.
fn item_of(there: Option<&RowOf<Item>>, deleted: Option<&RowOf<DeletedItem>>) -> Result<Option<Item>> {
    match (there, deleted) {
        (Some(row), _) => Ok(Some(row.read()?)),
        (None, Some(row)) => Ok(row.read()?.item),
        (None, None) => Ok(None),
    }
}
