//! Loads an item with what its use cases need, and commits what they made of it.

use std::sync::Arc;

use svc_domain::access::Capability;
use svc_domain::feed::{FeedEntry, FeedIndex};
use svc_domain::ids::{ItemKey, OrgId};
use svc_domain::item::Item;
use svc_domain::refusal::Refusal;
use svc_domain::workflow::{StateGroup, Workflow};
use svc_storage::{Op, RowOf, keys};

use crate::App;
use crate::entry::{Caller, Entry, enter_project_with};
use crate::error::Result;
use crate::tracker::ItemChange;
use crate::tracker::feeds::ListedItem;
use crate::tracker::gone::item_row;
use crate::transaction::Transaction;
use crate::wanted::Wanted;

/// An item, and what is to be said of it that follows from the workflow and the time.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemDetails {
    /// The item.
    pub item: Item,
    /// Group of its state.
    pub state_group: StateGroup,
    /// Whether it is claimed and anyone may take it over.
    pub claim_is_stale: bool,
}

impl ItemDetails {
    pub(crate) fn of(app: &App, item: Item, workflow: &Workflow) -> Self {
        let stale =
            |claim: &svc_domain::claim::Claim| claim.is_stale(app.now(), app.settings.claims.stale_after());
        Self {
            state_group: group_of(workflow, &item.state),
            claim_is_stale: item.claim.as_ref().is_some_and(stale),
            item,
        }
    }
}

/// Group of a state. One that the workflow has no longer is like not begun.
pub(super) fn group_of(workflow: &Workflow, state: &str) -> StateGroup {
    workflow.group_of(state).unwrap_or(StateGroup::Backlog)
}

/// An entry of the feed, and what is to be said of it that follows from the workflow and the time.
pub(crate) fn listed<'a>(
    app: &App,
    index: &FeedIndex,
    entry: &'a FeedEntry,
    workflow: &Workflow,
) -> ListedItem<'a> {
    let stale_after = app.settings.claims.stale_after();
    ListedItem {
        entry,
        state_group: group_of(workflow, &entry.state),
        claim_is_stale: entry.claim.as_ref().is_some_and(|claim| claim.is_stale(app.now(), stale_after)),
        children: Some(index.child_count(entry.number)),
    }
}

/// An item on the way through a use case.
pub(super) struct Loaded {
    /// The caller.
    pub(super) entry: Entry,
    pub(super) item: Item,
    pub(super) row_version: u64,
    pub(super) workflow: Arc<Workflow>,
}

/// Enters the item's project and loads the item.
pub(super) async fn load(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    capability: Capability,
) -> Result<Loaded> {
    Ok(load_with(app, caller, key, capability, |_| ()).await?.0)
}

/// As [`load`], and loads more rows in the same round trip.
pub(super) async fn load_with<W: Wanted>(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    capability: Capability,
    wanted: impl Fn(OrgId) -> W,
) -> Result<(Loaded, W::Rows)> {
    let wanted = |org| (keys::item(org, key), keys::workflow(org, &key.project), wanted(org));
    let (entry, (row, workflow, rows)) =
        enter_project_with(app, caller, &key.project, capability, wanted).await?;
    let row = item_row(app, &entry, row, key).await?;
    let workflow = app.parse_cache.workflow(workflow)?;
    if capability.changes() {
        require_reach(&entry, &row)?;
    }
    if capability == Capability::Work {
        entry.access.require_changing()?;
    }
    Ok((Loaded { entry, item: row.read()?, row_version: row.version, workflow }, rows))
}

/// Refuses the agent of a run to change the item of this row, unless it is its own or a subtask of that.
pub(super) fn require_reach(entry: &Entry, item: &RowOf<Item>) -> Result<()> {
    if entry.actor().id.is_agent() {
        let item: Item = item.read()?;
        entry.access.require_reach(&item.key, item.parent.as_ref())?;
    }
    Ok(())
}

impl Loaded {
    /// Refuses a version that is no longer the item's.
    pub(super) fn require_version(&self, version: u64) -> Result<(), Refusal> {
        let current = self.item.revision;
        if version == current { Ok(()) } else { Err(Refusal::StaleVersion { current }) }
    }

    /// The item as it is.
    pub(super) fn unchanged(self, app: &App) -> ItemDetails {
        ItemDetails::of(app, self.item, &self.workflow)
    }

    /// Begins a change of the item.
    pub(super) fn change(&self) -> ItemChange {
        ItemChange::update(self.entry.org_id(), self.item.clone(), self.row_version)
    }

    /// Commits a change, under more conditions.
    pub(super) async fn commit(self, app: &App, change: ItemChange, checks: Vec<Op>) -> Result<ItemDetails> {
        let mut transaction = Transaction::of(app, &self.entry);
        let item = transaction.save(change);
        app.commit(transaction.with(checks)).await?;
        Ok(ItemDetails::of(app, item, &self.workflow))
    }
}
