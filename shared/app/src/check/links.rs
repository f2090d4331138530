//! Checks the links between items: that both know of each, that none waits for itself, and that an item says whether one
//! that blocks it is open.

use std::collections::BTreeSet;

use svc_domain::ids::{ItemKey, OrgId};
use svc_domain::item::Item;
use svc_domain::item_link::LinkKind;
use svc_domain::workflow::{StateGroup, Workflow};
use svc_storage::keys;

use super::context::{CheckContext, Stop, Verdict};
use super::item_or_mark::item_or_mark;

/// The links of an item, and what follows from them.
pub(super) fn linked(context: &CheckContext<'_>, org: OrgId, item: &Item) -> Verdict {
    let mut blocked = false;
    for link in &item.item_links {
        let Some(other) = item_or_mark(context, org, &link.item, "item that it is linked with")? else {
            if context.has(&keys::transfer(org, &link.item))? {
                context.waiting("it names an item by the key that the item had in another project");
            }
            continue;
        };
        let old = item.former_key.as_ref().filter(|key| other.is_linked(link.kind.inverse(), key));
        if old.is_none() && !other.is_linked(link.kind.inverse(), &item.key) {
            context.broken(format!("{} does not know of the link with it ({})", link.item, link.kind));
        }
        let there = context.has(&keys::item(org, &link.item))?;
        blocked |= link.kind == LinkKind::BlockedBy && there && is_open(context, org, &other)?;
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

fn is_open(context: &CheckContext<'_>, org: OrgId, item: &Item) -> Result<bool, Stop> {
    let workflow: Option<Workflow> = context.read(&keys::workflow(org, &item.key.project))?;
    let group = workflow.and_then(|workflow| workflow.group_of(&item.state));
    Ok(group.unwrap_or(StateGroup::Backlog).is_open())
}

fn waits_for_itself(context: &CheckContext<'_>, org: OrgId, item: &Item) -> Result<bool, Stop> {
    let mut seen: BTreeSet<ItemKey> = BTreeSet::new();
    let mut next: Vec<ItemKey> = item.linked(LinkKind::BlockedBy).cloned().collect();
    while let Some(key) = next.pop() {
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
