//! Checks the links between items: that both know of each, that none waits for itself, and that an item says whether one
//! that blocks it is open.

use std::collections::BTreeSet;

use svc_domain::ids::{ItemKey, OrgId};
use svc_domain::item::Item;
use svc_domain::item_link::LinkKind;
use svc_domain::transfer::Transfer;
use svc_domain::workflow::{StateGroup, Workflow};
use svc_storage::keys;

use super::context::{CheckContext, Stop, Verdict};
use super::item_or_mark::item_or_mark;

/// The links of an item, and what follows from them.
pub(super) fn linked(context: &CheckContext<'_>, org: OrgId, item: &Item) -> Verdict {
    let mut blocked = false;
    for link in &item.item_links {
        let now = now_of(context, org, &link.item)?;
        let Some(other) = item_or_mark(context, org, &now, "item that it is linked with")? else { continue };
        if !knows(context, org, &other, link.kind.inverse(), &item.key)? {
            context.broken(format!("{now} does not know of the link with it ({})", link.kind));
        }
        let there = context.has(&keys::item(org, &now))?;
        blocked |= link.kind == LinkKind::BlockedBy && there && holds_up(context, org, &other, item)?;
    }
    if blocked != item.has_open_blocker {
        context.waiting("what it says of the items that block it is out of date");
    }
    if item.linked(LinkKind::Blocks).next().is_some() {
        if waits_for_itself(context, org, item)? {
            context.broken("it waits for itself");
        }
        context.demand(&keys::block_links(org), "counter of links by which items block others")?;
    }
    Ok(())
}

/// The key that a linked item has now. Tells where the link names another one.
fn now_of(context: &CheckContext<'_>, org: OrgId, named: &ItemKey) -> Result<ItemKey, Stop> {
    let Some(transfer) = context.read::<Transfer>(&keys::transfer(org, named))? else {
        return Ok(named.clone());
    };
    let what = format!("it names an item by {named}, the key that the item had in another project");
    if transfer.complete {
        context.broken(format!("{what}: adding the link again, by the new key, mends it"));
    } else {
        context.waiting(what);
    }
    last_key(context, org, transfer.to)
}

fn last_key(context: &CheckContext<'_>, org: OrgId, mut key: ItemKey) -> Result<ItemKey, Stop> {
    while let Some(transfer) = context.read::<Transfer>(&keys::transfer(org, &key))? {
        key = transfer.to;
    }
    Ok(key)
}

/// Whether an item is this to the one that has this key, also where it names a key that the other had.
fn knows(
    context: &CheckContext<'_>,
    org: OrgId,
    item: &Item,
    kind: LinkKind,
    other: &ItemKey,
) -> Result<bool, Stop> {
    if item.is_linked(kind, other) {
        return Ok(true);
    }
    for named in item.linked(kind) {
        if last_key(context, org, named.clone())? == *other {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether an item keeps another waiting. Those of a deleted project keep none of other projects waiting.
fn holds_up(context: &CheckContext<'_>, org: OrgId, item: &Item, other: &Item) -> Result<bool, Stop> {
    let near = item.key.project == other.key.project;
    if !near && !context.has(&keys::project(org, &item.key.project))? {
        return Ok(false);
    }
    let workflow: Option<Workflow> = context.read(&keys::workflow(org, &item.key.project))?;
    let group = workflow.and_then(|workflow| workflow.group_of(&item.state));
    Ok(group.unwrap_or(StateGroup::Backlog).is_open())
}

fn waits_for_itself(context: &CheckContext<'_>, org: OrgId, item: &Item) -> Result<bool, Stop> {
    let mut seen: BTreeSet<ItemKey> = BTreeSet::new();
    let mut next: Vec<ItemKey> = item.linked(LinkKind::BlockedBy).cloned().collect();
    while let Some(key) = next.pop() {
        let key = last_key(context, org, key)?;
        if key == item.key {
            return Ok(true);
        }
        if seen.insert(key.clone())
            && let Some(above) = item_or_mark(context, org, &key, "item that it waits for")?
        {
            next.extend(above.linked(LinkKind::BlockedBy).cloned());
        }
    }
    Ok(false)
}
