//! Moving an item to another project.
//!
//! Protocol.
//! 1. One commit deletes the item's row, creates it under the next number of the other project, and leaves a
//!    [`Transfer`] at the old key. Both projects' feeds say so. Whatever else is about to change the item demands its
//!    row, and fails. The commit demands the item's counter of children as it was before the feed was read: of a move
//!    and a new child at the same moment, one fails.
//! 2. What hangs on the item (discussion, history, attachments, runs, watchers) follows in batches ([`finish`]), each in
//!    one commit that takes rows away at the old key and writes them at the new one, in the same versions. The request
//!    does as much of that as it can; a message comes for the rest, and again until nothing is left. In between the
//!    item has what has followed already, and new things are written at its new key.
//! 3. In the end the item and those that it is linked with name each other by the keys that they have then, each pair
//!    in one commit that demands both rows: the other item may move as well. Then the [`Transfer`] is complete. It stays
//!    for ever: the old key leads to the new one ([`super::gone`]).
//! 4. An item that moves on before that takes everything with it: its next move finishes this one first.

mod finish;
mod rows;

use svc_domain::access::Capability;
use svc_domain::event::Event;
use svc_domain::ids::{Actor, ActorId, ItemKey, OrgId, ProjectKey};
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_domain::transfer::Transfer;
use svc_domain::workflow::Workflow;
use svc_storage::{Op, keys};

use super::ItemChange;
use super::items::next_number;
use super::load::{ItemDetails, Loaded, load};
use super::relations::{Assignee, no_children};
use crate::App;
use crate::entry::{Caller, Entry, enter_project};
use crate::error::Result;
use crate::transaction::Transaction;

pub use finish::{finish, settled};

/// Batches of what hangs on the item that the request itself brings to the new key.
const BATCHES: usize = 20;

/// Moves an item to another project. An item that is there already stays as it is.
///
/// # Errors
/// [`Refusal::NotFound`] also for a project that the caller does not see; [`Refusal::Forbidden`] for who may not work in
/// both; [`Refusal::StaleVersion`]; what [`svc_domain::item::Item::require_transfer`] refuses; [`Refusal::Conflict`]
/// while other items belong to it.
pub async fn transfer(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    project: &ProjectKey,
    version: u64,
) -> Result<ItemDetails> {
    let (org, details) = app.decide(|| transfer_once(app, caller, key, project, version)).await?;
    if details.item.former_key.as_ref() == Some(key)
        && let Err(error) = finish(app, org, key, Some(BATCHES)).await
    {
        tracing::warn!(%error, "what hangs on a moved item has not followed; a message comes for it");
    }
    Ok(details)
}

async fn transfer_once(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    project: &ProjectKey,
    version: u64,
) -> Result<(OrgId, ItemDetails)> {
    let loaded = load(app, caller, key, Capability::Work, |_| vec![]).await?;
    let org = loaded.entry.org_id();
    if key.project == *project {
        return Ok((org, loaded.unchanged(app)));
    }
    let assignee = loaded.item.assignee.as_ref().and_then(|actor| match actor.id {
        ActorId::User(user) => Some(Assignee::User(user)),
        ActorId::Agent(_) => None,
    });
    let mut there = enter_project(app, caller, project, Capability::Work, |org| {
        let mut wanted = vec![keys::workflow(org, project)];
        wanted.extend(assignee.iter().flat_map(|assignee| assignee.keys(org, project)));
        wanted
    })
    .await?;
    loaded.require_version(version)?;
    let alone = admit(app, &loaded, key).await?;
    if let Some(former) = &loaded.item.former_key {
        finish(app, org, former, None).await?;
    }
    let into: Workflow = there.take(0)?.read()?;
    let assignee = match assignee {
        Some(wanted) => wanted.find(&there, &there.rows[1..], &mut FieldErrors::default())?,
        None => None,
    };
    Ok((org, commit(app, &loaded, &there, (project, &into), assignee, alone).await?))
}

/// Whether the item may go now; answers what the commit must demand so that nothing belongs to it then either.
async fn admit(app: &App, loaded: &Loaded, key: &ItemKey) -> Result<Op> {
    let stale_after = app.settings.claims.stale_after();
    loaded.item.require_transfer(&loaded.entry.access, app.now(), stale_after)?;
    let alone = no_children(app, loaded.entry.org_id(), key).await?;
    Ok(alone.ok_or(Refusal::Conflict("items belong to this one: move them out of it first"))?)
}

async fn commit(
    app: &App,
    loaded: &Loaded,
    there: &Entry,
    (project, into): (&ProjectKey, &Workflow),
    assignee: Option<Actor>,
    alone: Op,
) -> Result<ItemDetails> {
    let (org, by, from) = (there.org_id(), there.actor(), &loaded.item.key);
    // The number is drawn last, so that what is refused uses none.
    let to = ItemKey { project: project.clone(), number: next_number(app, org, project).await? };
    let mut gone = loaded.change().into_deletion();
    gone.item.claim = None;
    let (item, told) = loaded.item.transferred(to.clone(), (&loaded.workflow, into), assignee, by, app.now());
    // The revision goes on after the one that the old key ends with.
    let mut arrived = ItemChange::arrive(org, item, loaded.row_version);
    arrived.tell(Event::ItemTransferred(from.clone(), to.clone()));
    told.into_iter().for_each(|event| arrived.tell(event));
    let mut transaction = Transaction::of(app, &loaded.entry);
    transaction.save(gone);
    let item = transaction.save(arrived);
    let transfer = Transfer {
        from: from.clone(),
        to,
        by: by.clone(),
        at: transaction.at(),
        links: item.links.clone(),
        linked: item.item_links.iter().map(|link| link.item.clone()).collect(),
        complete: false,
    };
    app.commit(transaction.with([alone, Op::create(keys::transfer(org, from), &transfer)])).await?;
    Ok(ItemDetails::of(app, item, into))
}
