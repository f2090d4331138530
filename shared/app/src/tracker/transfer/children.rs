//! What belongs to an item that moves: what is looked at before it moves, and what follows it afterwards, a few items in
//! each commit.

use std::collections::HashSet;

use svc_domain::event::ItemEvent;
use svc_domain::ids::{ItemKey, OrgId};
use svc_domain::item::{FieldChange, Item};
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_domain::transfer::{Along, Transfer};
use svc_storage::{Limits, keys};

use super::hanging;
use super::relocate::{Leaving, Move};
use crate::App;
use crate::error::Result;
use crate::tracker::ItemChange;
use crate::tracker::relations::parent_checks;
use crate::transaction::Transaction;
use crate::wanted;

/// Most items that one move takes along.
const MOST: usize = 1_000;

/// Items that one commit brings; one, where they have so many links that these do not fit.
pub(super) const TOGETHER: usize = 5;

/// What became of those that belong to an item which left.
pub(super) enum Brought {
    /// Some left their keys, these, or stay without it; others may be left.
    Some(Vec<ItemKey>),
    /// All that are left are being worked on.
    Waiting,
    /// None are left.
    All,
}

/// All that goes along with an item, parents before their children, as it is now.
///
/// # Errors
/// [`Refusal::Conflict`] for more than [`MOST`].
pub(super) async fn below(app: &App, org: OrgId, root: &Item, along: Along) -> Result<Vec<Leaving>> {
    let mut above = HashSet::from([root.key.clone()]);
    let found: Vec<ItemKey> = {
        let feed = app.feeds.fresh(app, org, &root.key.project).await?;
        let index = feed.read();
        let (mut found, mut next) = (vec![root.key.clone()], 0);
        while let Some(key) = found.get(next).filter(|_| found.len() <= MOST + 1) {
            let children = index.children(key);
            let goes = children.into_iter().filter(|child| along.takes(child.item_type));
            let keys: Vec<ItemKey> = goes.map(|child| child.key(&root.key.project)).collect();
            found.extend(keys.into_iter().filter(|key| above.insert(key.clone())));
            next += 1;
        }
        found.split_off(1)
    };
    if found.len() > MOST {
        let why = "more than 1,000 items belong to this one: move some of them out of it first";
        return Err(Refusal::Conflict(why).into());
    }
    let mut items = Vec::with_capacity(found.len());
    for keys in found.chunks(Limits::KEYS) {
        items.extend(read(app, org, keys).await?);
    }
    // The feed may be a moment behind: of those that have left meanwhile, nothing is asked.
    items.retain(|(item, _)| item.parent.as_ref().is_some_and(|parent| above.contains(parent)));
    Ok(items)
}

/// Brings some of those that belong to an item which left this key to where it is, or ends that they belong to it, where
/// they stay. What is being worked on waits.
pub(super) async fn bring(app: &App, org: OrgId, from: &ItemKey) -> Result<Brought> {
    let Some(row) = app.table.find(&keys::transfer(org, from)).await? else { return Ok(Brought::All) };
    let transfer: Transfer = row.read()?;
    if transfer.complete {
        return Ok(Brought::All);
    }
    let left: Vec<ItemKey> = {
        let feed = app.feeds.fresh(app, org, &from.project).await?;
        let index = feed.read();
        index.children(from).into_iter().map(|child| child.key(&from.project)).collect()
    };
    let (mut waiting, stale_after) = (false, app.settings.claims.stale_after());
    for keys in left.chunks(TOGETHER) {
        let mut some = read(app, org, keys).await?;
        some.retain(|(item, _)| item.parent.as_ref() == Some(from));
        let found = some.len();
        some.retain(|(item, _)| {
            !transfer.along.takes(item.item_type) || item.is_free_for(transfer.by.id, app.now(), stale_after)
        });
        waiting |= some.len() < found;
        if !some.is_empty() {
            return bring_these(app, org, &transfer, &some).await.map(Brought::Some);
        }
    }
    Ok(if waiting { Brought::Waiting } else { Brought::All })
}

/// Brings as many of these as fit into a commit; answers the keys of all that it dealt with and that left.
async fn bring_these(app: &App, org: OrgId, transfer: &Transfer, some: &[Leaving]) -> Result<Vec<ItemKey>> {
    for (item, _) in some {
        if let Some(former) = &item.former_key {
            hanging::rows_of(app, org, former).await?;
        }
    }
    let read = |project| async move {
        let row = app.table.find(&keys::workflow(org, project)).await?;
        row.ok_or(Refusal::NotFound)?.read().map_err(crate::Error::from)
    };
    let workflows = (read(&transfer.from.project).await?, read(&transfer.to.project).await?);
    let to = Move {
        org,
        by: &transfer.by,
        project: &transfer.to.project,
        workflows: (&workflows.0, &workflows.1),
        along: transfer.along,
    };
    let mut errors = FieldErrors::default();
    // Nothing is above itself: the item that it is for has no key there yet.
    let above = parent_checks(app, org, &transfer.from, &transfer.to, &mut errors).await?;
    // What it belonged to was taken away for good: it stays, by itself.
    let parent = errors.0.is_empty().then(|| transfer.to.clone());
    for together in [some.len(), 1] {
        let mut transaction = Transaction::on_behalf(app, org, &transfer.by);
        let mut gone = Vec::new();
        for leaving in &some[..together] {
            if parent.is_some() && transfer.along.takes(leaving.0.item_type) {
                to.relocate(app, &mut transaction, leaving, parent.clone()).await?;
                gone.push(leaving.0.key.clone());
            } else {
                transaction.save(by_itself(org, leaving));
            }
        }
        if !gone.is_empty() {
            transaction.write(above.iter().cloned());
        }
        if together == 1 || app.operations(&transaction) <= Limits::OPS {
            app.commit(transaction).await?;
            return Ok(gone);
        }
    }
    Ok(Vec::new())
}

/// An item that stays, and belongs to nothing any more.
fn by_itself(org: OrgId, (item, row_version): &Leaving) -> ItemChange {
    let mut change = ItemChange::update(org, item.clone(), *row_version);
    let from = change.item.parent.take().map(|parent| parent.to_string());
    change.tell(ItemEvent::Changed(item.key.clone(), FieldChange { field: "parent", from, to: None }));
    change
}

async fn read(app: &App, org: OrgId, keys: &[ItemKey]) -> Result<Vec<Leaving>> {
    let rows = wanted::load(app, keys.iter().map(|key| keys::item(org, key)).collect::<Vec<_>>()).await?;
    rows.iter().flatten().map(|row| Ok((row.read()?, row.version))).collect()
}
