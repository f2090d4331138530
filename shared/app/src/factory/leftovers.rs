//! Releases the other items that a run's agent claimed, when the run is over.
//!
//! A worker does it, because the items are as many as the agent claimed. An agent reaches its run's item and the
//! subtasks of that, so that a claim of an agent which stands below no live run is left over from one that ended.
//! Subtasks of another item that the same agent works on now stay claimed.

use svc_domain::event::ItemEvent;
use svc_domain::ids::{ActorId, ItemKey, OrgId, RunId};
use svc_domain::item::Item;
use svc_domain::run::Run;
use svc_storage::keys;

use super::loaded::LoadedRun;
use crate::App;
use crate::error::Result;
use crate::tracker::ItemChange;
use crate::transaction::Transaction;

/// Releases what a run's agent claimed and no live run needs.
///
/// # Errors
/// Those of storage: the message comes again.
pub async fn release(app: &App, org: OrgId, run: RunId) -> Result<()> {
    let run = LoadedRun::load(app, org, run).await?.run;
    for key in claimed(app, org, &run).await? {
        app.decide(|| release_one(app, org, &run, &key)).await?;
    }
    Ok(())
}

/// The items of the project that the agent holds, as lists know it.
async fn claimed(app: &App, org: OrgId, run: &Run) -> Result<Vec<ItemKey>> {
    let project = &run.item.project;
    let holder = ActorId::Agent(run.agent.id);
    let feed = app.feeds.fresh(app, org, project).await?;
    let index = feed.read();
    let held =
        index.iter().filter(|entry| entry.claim.as_ref().is_some_and(|claim| claim.holder.id == holder));
    Ok(held.map(|entry| ItemKey { project: project.clone(), number: entry.number }).collect())
}

async fn release_one(app: &App, org: OrgId, run: &Run, key: &ItemKey) -> Result<()> {
    let Some(row) = app.table.find(&keys::item(org, key)).await? else { return Ok(()) };
    let item: Item = row.read()?;
    let held = item.claim.as_ref().is_some_and(|claim| claim.holder.id == run.actor().id);
    if !held || item.live_run.is_some() || is_below_live_run(app, org, &item).await? {
        return Ok(());
    }
    let mut change = ItemChange::update(org, item, row.version);
    change.item.claim = None;
    change.tell(ItemEvent::Released { item: key.clone(), from: None, run: Some(run.id) });
    let mut transaction = Transaction::on_behalf(app, org, &run.actor());
    transaction.save(change);
    app.commit(transaction).await
}

async fn is_below_live_run(app: &App, org: OrgId, item: &Item) -> Result<bool> {
    let Some(parent) = &item.parent else { return Ok(false) };
    let Some(row) = app.table.find(&keys::item(org, parent)).await? else { return Ok(false) };
    Ok(row.read()?.live_run.is_some())
}
