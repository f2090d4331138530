//! Moving an item through its workflow, and claiming, keeping and releasing it.
//!
//! While a live run holds an item, nobody but the run's own agent claims or releases it; the run does so when
//! it ends. An agent never moves an item: its run does, when it ends (specification section 3.2).

use jiff::Timestamp;
use svc_domain::access::{Capability, Standing};
use svc_domain::claim;
use svc_domain::event::ItemEvent;
use svc_domain::ids::{ItemKey, RunId};
use svc_domain::item::Item;
use svc_domain::refusal::Refusal;

use super::ItemChange;
use super::load::{ItemDetails, Loaded, load};
use crate::App;
use crate::entry::{Caller, Entry};
use crate::error::Result;

/// Moves an item to another state. Moving it to its own changes nothing.
///
/// # Errors
/// [`Refusal::Forbidden`] for agents; [`Refusal::StaleVersion`]; [`Refusal::MoveNotPermitted`];
/// [`Refusal::Invalid`] for a state that there is not.
pub async fn transition(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    version: u64,
    state: &str,
) -> Result<ItemDetails> {
    app.decide(|| async {
        let loaded = load(app, caller, key, Capability::Work).await?;
        let mut change = loaded.change();
        refuse_agents(&loaded)?;
        loaded.require_version(version)?;
        if !to_state(&loaded, state, app.now(), &mut change)? {
            return Ok(loaded.unchanged(app));
        }
        Loaded::commit(loaded, app, change, vec![]).await
    })
    .await
}

/// An agent moves no item.
pub(super) fn refuse_agents(loaded: &Loaded) -> Result<(), Refusal> {
    match loaded.entry.actor().id.is_agent() {
        true => Err(Refusal::Forbidden(
            "agents cannot move items; the run moves its item when it ends, as the playbook says",
        )),
        false => Ok(()),
    }
}

/// Moves the item of a change to a state now; whether that is another.
pub(super) fn to_state(
    loaded: &Loaded,
    state: &str,
    now: Timestamp,
    change: &mut ItemChange,
) -> Result<bool, Refusal> {
    let from = loaded.item.state.clone();
    let state = loaded.workflow.transition(&from, state)?;
    let to = state.name.clone();
    if from == to {
        return Ok(false);
    }
    change.item.enter(&to, state.group, now);
    if loaded.workflow.rules {
        change.tell(ItemEvent::StateEntered { item: loaded.item.key.clone(), state: to.clone(), run: None });
    }
    change.tell(ItemEvent::Moved { item: loaded.item.key.clone(), from, to, run: None });
    Ok(true)
}

/// Claims an item for the caller. Of many who claim one version, one succeeds.
///
/// # Errors
/// [`Refusal::ItemClaimed`] when anyone holds it, the caller included; [`Refusal::LiveRunExists`];
/// [`Refusal::StaleVersion`].
pub async fn claim(app: &App, caller: Caller<'_>, key: &ItemKey, version: u64) -> Result<ItemDetails> {
    app.decide(|| async {
        let loaded = load(app, caller, key, Capability::Work).await?;
        // Who holds it is told first: it says more than that the version is stale.
        let next = step(app, &loaded, claim::Event::Claim)?;
        if let Some(run) = foreign_run(&loaded.entry, &loaded.item) {
            return Err(Refusal::LiveRunExists { run }.into());
        }
        loaded.require_version(version)?;
        let mut change = loaded.change();
        let from = loaded.item.claim.as_ref().map(|stale| stale.holder.name.clone());
        change.item.claim = next;
        change.tell(ItemEvent::Claimed { item: key.clone(), from, run: None });
        Loaded::commit(loaded, app, change, vec![]).await
    })
    .await
}

/// Shows that the caller still works on an item. The item's version stays.
///
/// # Errors
/// [`Refusal::ItemClaimed`], [`Refusal::NotClaimHolder`].
pub async fn heartbeat(app: &App, caller: Caller<'_>, key: &ItemKey) -> Result<ItemDetails> {
    app.decide(|| async {
        let loaded = load(app, caller, key, Capability::Work).await?;
        let next = step(app, &loaded, claim::Event::Heartbeat)?;
        let mut change = loaded.change().as_heartbeat();
        change.item.claim = next;
        Loaded::commit(loaded, app, change, vec![]).await
    })
    .await
}

/// Releases an item: its holder, an Admin of the project, or anyone when the claim is stale. Releasing what
/// nobody holds changes nothing.
///
/// # Errors
/// [`Refusal::LiveRunExists`], [`Refusal::ItemClaimed`].
pub async fn release(app: &App, caller: Caller<'_>, key: &ItemKey) -> Result<ItemDetails> {
    app.decide(|| async {
        let loaded = load(app, caller, key, Capability::Work).await?;
        let Some(held) = loaded.item.claim.clone() else { return Ok(loaded.unchanged(app)) };
        if let Some(run) = foreign_run(&loaded.entry, &loaded.item) {
            return Err(Refusal::LiveRunExists { run }.into());
        }
        if !loaded.entry.access.may(Capability::ConfigureProject) {
            step(app, &loaded, claim::Event::Release)?;
        }
        let mut change = loaded.change();
        change.item.claim = None;
        let from = Some(held.holder.name);
        change.tell(ItemEvent::Released { item: key.clone(), from, run: None });
        Loaded::commit(loaded, app, change, vec![]).await
    })
    .await
}

fn step(app: &App, loaded: &Loaded, event: claim::Event) -> Result<Option<claim::Claim>, Refusal> {
    let stale_after = app.settings.claims.stale_after();
    claim::step(loaded.item.claim.as_ref(), event, loaded.entry.actor(), app.now(), stale_after)
}

/// The live run of an item, unless it is the caller's own.
fn foreign_run(entry: &Entry, item: &Item) -> Option<RunId> {
    let own = match &entry.access.standing {
        Standing::Agent { run, .. } => Some(*run),
        Standing::Member(_) => None,
    };
    item.live_run.filter(|run| own != Some(*run))
}
