//! Moving an item to another project.
//!
//! Protocol.
//! 1. One commit deletes the item's row, creates it under the next number of the other project, and leaves a
//!    [`Transfer`] at the old key; and so of each of its subtasks, which belong to it there. Both projects' feeds say so.
//!    Whatever else is about to change one of them demands its row, and fails. The commit demands the item's counter of
//!    children as it was before the feed was read: a child that comes at the same moment fails, or makes the move decide
//!    again. A commit has room for few subtasks ([`MOST_SUBTASKS`]): of more, all stay, and the caller is told.
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
use svc_domain::event::ItemEvent;
use svc_domain::ids::{Actor, ActorId, ItemKey, OrgId, ProjectKey};
use svc_domain::item::Item;
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_domain::transfer::Transfer;
use svc_domain::workflow::Workflow;
use svc_storage::{Key, Limits, Op, keys};

use super::items::next_number;
use super::load::{ItemDetails, Loaded, load};
use super::relations::{Assignee, children};
use super::{ItemChange, milestones, sprints};
use crate::App;
use crate::entry::{Caller, Entry, enter_project_with};
use crate::error::Result;
use crate::transaction::Transaction;

pub use finish::{finish, settled};

/// Batches of what hangs on the item that the request itself brings to the new key.
const BATCHES: usize = 20;

/// Subtasks that an item takes along, because one commit writes all of them.
const MOST_SUBTASKS: usize = 5;

/// Moves an item and its subtasks to another project. An item that is there already stays as it is.
///
/// # Errors
/// [`Refusal::NotFound`] also for a project that the caller does not see; [`Refusal::Forbidden`] for who may not work in
/// both; [`Refusal::StaleVersion`]; what [`svc_domain::item::Item::require_transfer`] and
/// [`svc_domain::item::Item::require_going_along`] refuse; [`Refusal::Conflict`] where more belongs to it than one commit
/// can write.
pub async fn transfer(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    project: &ProjectKey,
    version: u64,
) -> Result<ItemDetails> {
    let (org, details, gone) = app.decide(|| transfer_once(app, caller, key, project, version)).await?;
    for from in gone {
        if let Err(error) = finish(app, org, &from, Some(BATCHES)).await {
            tracing::warn!(%error, "what hangs on a moved item has not followed; a message comes for it");
        }
    }
    Ok(details)
}

/// An item as it leaves: as it was read, and the version of its row.
type Leaving = (Item, u64);

/// Decides and commits once; answers the item as it is there, and the keys whose items have gone.
async fn transfer_once(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    project: &ProjectKey,
    version: u64,
) -> Result<(OrgId, ItemDetails, Vec<ItemKey>)> {
    let loaded = load(app, caller, key, Capability::Work).await?;
    let org = loaded.entry.org_id();
    if key.project == *project {
        return Ok((org, loaded.unchanged(app), Vec::new()));
    }
    let wanted = |org| keys::workflow(org, project);
    let (there, workflow) = enter_project_with(app, caller, project, Capability::Work, wanted).await?;
    loaded.require_version(version)?;
    let stale_after = app.settings.claims.stale_after();
    loaded.item.require_transfer(&loaded.entry.access, app.now(), stale_after)?;
    let (children, settled) = children(app, org, key).await?;
    let mut leaving = vec![(loaded.item.clone(), loaded.row_version)];
    leaving.extend(subtasks(app, &loaded, &children).await?);
    for former in leaving.iter().filter_map(|(item, _)| item.former_key.as_ref()) {
        finish(app, org, former, None).await?;
    }
    let into: Workflow = workflow.ok_or(Refusal::NotFound)?.read()?;
    let details = commit(app, &loaded, &there, (project, &into), (&leaving, settled)).await?;
    Ok((org, details, leaving.into_iter().map(|(item, _)| item.key).collect()))
}

/// Those that belong to the item, as they were read, if all of them may go along.
async fn subtasks(app: &App, loaded: &Loaded, children: &[ItemKey]) -> Result<Vec<Leaving>> {
    if children.len() > MOST_SUBTASKS {
        let why = "this item has more than 5 subtasks: move some of them out of it first";
        return Err(Refusal::Conflict(why).into());
    }
    if children.is_empty() {
        return Ok(Vec::new());
    }
    let wanted: Vec<Key> = children.iter().map(|child| keys::item(loaded.entry.org_id(), child)).collect();
    let rows = app.table.get_many(&wanted).await?;
    let read = rows.iter().flatten().map(|row| Ok((row.read::<Item>()?, row.version)));
    let mut found = read.collect::<Result<Vec<_>>>()?;
    // The feed may be a moment behind: of those that have left it, nothing is asked.
    found.retain(|(item, _)| item.parent.as_ref() == Some(&loaded.item.key));
    let stale_after = app.settings.claims.stale_after();
    for (item, _) in &found {
        item.require_going_along(&loaded.entry.access, app.now(), stale_after)?;
    }
    Ok(found)
}

/// Moves what leaves, the first of which the others belong to, in one commit; answers the first as it is there.
async fn commit(
    app: &App,
    loaded: &Loaded,
    there: &Entry,
    (project, into): (&ProjectKey, &Workflow),
    (leaving, settled): (&[Leaving], Op),
) -> Result<ItemDetails> {
    let org = there.org_id();
    let mut transaction = Transaction::of(app, &loaded.entry).with([settled]);
    let mut first: Option<Item> = None;
    for (item, row_version) in leaving {
        let assignee = assigned_there(app, there, project, item).await?;
        // The number is drawn last, so that what is refused uses none.
        let to = ItemKey { project: project.clone(), number: next_number(app, org, project).await? };
        let parent = first.as_ref().map(|first| first.key.clone());
        let workflows = (&*loaded.workflow, into);
        let left = left_behind(app, org, item).await?;
        let (arrived, told) =
            item.transferred((to, parent), workflows, assignee, left, there.actor(), app.now());
        let item = relocate(&mut transaction, there, (item, *row_version), arrived, told);
        first = first.or(Some(item));
    }
    if app.operations(&transaction) > Limits::OPS {
        let why = "the item and its subtasks have too many links to move at once: move some subtasks out of it first";
        return Err(Refusal::Conflict(why).into());
    }
    app.commit(transaction).await?;
    let item = first.ok_or(Refusal::NotFound)?;
    Ok(ItemDetails::of(app, item, into))
}

/// The person that an item is assigned to, if they see the other project.
async fn assigned_there(
    app: &App,
    there: &Entry,
    project: &ProjectKey,
    item: &Item,
) -> Result<Option<Actor>> {
    let Some(ActorId::User(user)) = item.assignee.as_ref().map(|actor| actor.id) else { return Ok(None) };
    let wanted = Assignee::User(user);
    let rows = app.table.get_many(&wanted.keys(there.org_id(), project)).await?;
    wanted.find(there, &rows, &mut FieldErrors::default())
}

/// Names of the sprint and the milestone that an item has, which stay in its project.
async fn left_behind(app: &App, org: OrgId, item: &Item) -> Result<(Option<String>, Option<String>)> {
    let project = &item.key.project;
    let sprint = match &item.sprint {
        Some(id) => Some(sprints::name_of(app, org, project, id).await?),
        None => None,
    };
    let milestone = match item.milestone {
        Some(id) => Some(milestones::name_of(app, org, project, id).await?),
        None => None,
    };
    Ok((sprint, milestone))
}

/// Takes an item away at its old key and writes it at its new one; answers it as it is there.
fn relocate(
    transaction: &mut Transaction,
    there: &Entry,
    (item, row_version): (&Item, u64),
    arrived: Item,
    told: Vec<ItemEvent>,
) -> Item {
    let (org, by, from, to) = (there.org_id(), there.actor(), &item.key, arrived.key.clone());
    let mut gone = ItemChange::update(org, item.clone(), row_version).into_deletion();
    gone.item.claim = None;
    // The revision goes on after the one that the old key ends with.
    let mut change = ItemChange::arrive(org, arrived, row_version);
    // Written as older than the move: the history hides from who does not see the old project what it had there.
    told.into_iter().for_each(|event| change.tell(event));
    change.tell(ItemEvent::Transferred(from.clone(), to.clone()));
    transaction.save(gone);
    let item = transaction.save(change);
    let transfer = Transfer {
        from: from.clone(),
        to,
        by: by.clone(),
        at: transaction.at(),
        links: item.links.clone(),
        linked: item.item_links.iter().map(|link| link.item.clone()).collect(),
        complete: false,
    };
    transaction.write([Op::create(keys::transfer(org, from), &transfer)]);
    item
}
