//! Moving an item to another project.
//!
//! Protocol.
//! 1. All that goes along is read and looked at: of what somebody works on, nothing moves.
//! 2. One commit deletes the item's row, creates it under the next number of the other project, and leaves a
//!    [`Transfer`] at the old key; and so of the first of those that go along. Both projects' feeds say so.
//!    Whatever else is about to change one of them demands its row, and fails. So nothing more comes to belong to it:
//!    whoever puts an item below another one demands the row of that.
//! 3. The others follow a few in each commit ([`children`]), which demands the row of what they belong to there, or stay
//!    and belong to nothing, as asked. Each is in one of the projects at every moment, and names as its parent the old key
//!    until it follows. What somebody begins to work on meanwhile follows when it is free. Servers of earlier builds
//!    do not bring them.
//! 4. What hangs on an item (discussion, history, attachments, runs, watchers) follows in batches ([`hanging`]), each in
//!    one commit that takes rows away at the old key and writes them at the new one, in the same versions. The request
//!    does as much of that as it can; a message comes for the rest, and again until nothing is left. In between the
//!    item has what has followed already, and new things are written at its new key.
//! 5. In the end the item and those that it is linked with name each other by the keys that they have then, each pair
//!    in one commit that demands both rows: the other item may move as well. Then the [`Transfer`] is complete. It stays
//!    for ever: the old key leads to the new one ([`super::gone`]).
//! 6. An item that moves on before that takes everything with it: its next move finishes this one first. So does its
//!    deletion.

mod children;
mod finish;
mod hanging;
mod relocate;
mod rows;

use svc_domain::access::Capability;
use svc_domain::ids::{ItemKey, OrgId, ProjectKey};
use svc_domain::item::Item;
use svc_domain::refusal::Refusal;
use svc_domain::transfer::Along;
use svc_domain::workflow::Workflow;
use svc_storage::{Limits, keys};

use super::load::{ItemDetails, Loaded, load};
use crate::App;
use crate::entry::{Caller, enter_project_with};
use crate::error::Result;
use crate::transaction::Transaction;
use relocate::{Leaving, Move};

pub use finish::{Left, finish, settled};

/// Commits after the first one that the request itself does for what follows.
const BATCHES: usize = 20;

/// Moves an item and what goes along to another project. An item that is there already stays as it is.
///
/// # Errors
/// [`Refusal::NotFound`] also for a project that the caller does not see; [`Refusal::Forbidden`] for who may not work in
/// both; [`Refusal::StaleVersion`]; what [`svc_domain::item::Item::require_transfer`] refuses; [`Refusal::Conflict`] while
/// somebody works on what would go along, and where that is too much.
pub async fn transfer(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    (project, along): (&ProjectKey, Along),
    version: u64,
) -> Result<ItemDetails> {
    let (org, details, gone) =
        app.decide(|| transfer_once(app, caller, key, (project, along), version)).await?;
    finish::begin(app, org, gone, BATCHES).await;
    Ok(details)
}

/// Decides and commits once; answers the item as it is there, and the keys whose items have gone.
async fn transfer_once(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    (project, along): (&ProjectKey, Along),
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
    let below = children::below(app, org, &loaded.item, along).await?;
    if below.iter().any(|(item, _)| !item.is_free_for(there.actor().id, app.now(), stale_after)) {
        let why = "somebody is working on an item that belongs to this one: wait until it is free";
        return Err(Refusal::Conflict(why).into());
    }
    require_arrived(app, org, [&loaded.item].into_iter().chain(below.iter().map(|(item, _)| item))).await?;
    let into: Workflow = workflow.ok_or(Refusal::NotFound)?.read()?;
    let to = Move { org, by: there.actor(), project, workflows: (&loaded.workflow, &into), along };
    let (item, gone) = commit(app, &loaded, &to, &below).await?;
    Ok((org, ItemDetails::of(app, item, &into), gone))
}

/// That all that hung on these items, and all that belonged to them, has followed them from where they were before.
///
/// # Errors
/// [`Refusal::Conflict`] while somebody works on what has yet to follow.
pub(super) async fn require_arrived(app: &App, org: OrgId, items: impl Iterator<Item = &Item>) -> Result<()> {
    for former in items.filter_map(|item| item.former_key.clone()) {
        if finish(app, org, vec![former], None).await? == Left::Waiting {
            let why = "what belongs to this item has not all followed it from its former project: somebody is working \
                       on it there";
            return Err(Refusal::Conflict(why).into());
        }
    }
    Ok(())
}

/// Moves an item, and as many of those below it as fit, in one commit; answers it as it is there, and the keys that were
/// left.
async fn commit(
    app: &App,
    loaded: &Loaded,
    to: &Move<'_>,
    below: &[Leaving],
) -> Result<(Item, Vec<ItemKey>)> {
    let root = (loaded.item.clone(), loaded.row_version);
    let children = below.iter().filter(|(item, _)| item.parent.as_ref() == Some(&root.0.key));
    for together in [children::TOGETHER, 0] {
        let mut transaction = Transaction::of(app, &loaded.entry);
        let item = to.relocate(app, &mut transaction, &root, None).await?;
        let mut gone = vec![root.0.key.clone()];
        for child in children.clone().take(together) {
            to.relocate(app, &mut transaction, child, Some(item.key.clone())).await?;
            gone.push(child.0.key.clone());
        }
        if app.operations(&transaction) <= Limits::OPS {
            app.commit(transaction).await?;
            return Ok((item, gone));
        }
    }
    Err(Refusal::Conflict("this item has too many links to move: remove some of them first").into())
}
