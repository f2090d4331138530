//! Which runs a list has, read from the rows that know: an item's own runs, the queue, the runs at work, and only for what
//! none of these answers, all runs of the organization.

use svc_domain::ids::{AgentId, ItemKey, OrgId, ProjectKey, RunId};
use svc_domain::run::RunStatus;
use svc_storage::{Key, Limits, Query, Range, Row, keys};

use super::change::{QueueEntry, RunEntry};
use crate::App;
use crate::error::Result;

/// What a list of runs is narrowed to.
#[derive(Clone, Debug, Default)]
pub struct RunFilter {
    /// A project.
    pub project: Option<ProjectKey>,
    /// A state.
    pub status: Option<RunStatus>,
    /// An agent.
    pub agent: Option<AgentId>,
    /// An item.
    pub item: Option<ItemKey>,
}

impl RunFilter {
    fn admits(&self, listing: &RunEntry) -> bool {
        self.project.as_ref().is_none_or(|project| *project == listing.item.project)
            && self.status.is_none_or(|status| status == listing.status)
            && self.agent.is_none_or(|agent| agent == listing.agent)
            && self.item.as_ref().is_none_or(|item| *item == listing.item)
    }
}

/// Ids of an item's runs, newest first.
pub(super) async fn of_item(app: &App, org: OrgId, item: &ItemKey) -> Result<Vec<RunId>> {
    let range = Range::Prefix(keys::ITEM_RUN_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::item_pk(org, item), range, 1_000).descending()).await?;
    Ok(rows.iter().map(Row::read).collect::<Result<_, _>>()?)
}

/// The runs that a filter admits and their items, newest first.
pub(super) async fn of(app: &App, org: OrgId, filter: &RunFilter) -> Result<Vec<(RunId, ItemKey)>> {
    let entries = match few(app, org, filter).await? {
        Some(runs) => entries(app, org, runs).await?,
        None => all(app, org).await?,
    };
    Ok(entries
        .into_iter()
        .filter(|(_, entry)| filter.admits(entry))
        .map(|(run, entry)| (run, entry.item))
        .collect())
}

/// The runs among which those are that the filter admits, where something knows them without looking at all.
async fn few(app: &App, org: OrgId, filter: &RunFilter) -> Result<Option<Vec<RunId>>> {
    if let Some(item) = &filter.item {
        return of_item(app, org, item).await.map(Some);
    }
    let every = |pk| app.table.query_all(Query::new(pk, Range::All, 1_000));
    match filter.status {
        Some(RunStatus::Queued) => {
            let queued = every(keys::queue_pk(org)).await?;
            let queued = queued.iter().map(|row| Ok(row.read::<QueueEntry>()?.run));
            queued.collect::<Result<_>>().map(Some)
        }
        Some(RunStatus::Assigned | RunStatus::Running) => {
            let live = every(keys::live_pk(org)).await?;
            // The sort key is the run's id, written by us.
            Ok(Some(live.iter().filter_map(|row| row.key.sk.parse().ok()).collect()))
        }
        _ => Ok(None),
    }
}

/// The places of these runs in the list, newest first.
async fn entries(app: &App, org: OrgId, runs: Vec<RunId>) -> Result<Vec<(RunId, RunEntry)>> {
    let mut wanted: Vec<Key> = runs.into_iter().map(|run| keys::run_entry(org, run)).collect();
    wanted.sort_unstable_by(|one, other| other.cmp(one));
    wanted.dedup();
    let mut entries = Vec::new();
    for chunk in wanted.chunks(Limits::KEYS) {
        for row in app.table.get_many(chunk).await?.iter().flatten() {
            entries.extend(entry(row)?);
        }
    }
    Ok(entries)
}

/// The places of all runs in the list, newest first.
async fn all(app: &App, org: OrgId) -> Result<Vec<(RunId, RunEntry)>> {
    let rows = app.table.query_all(Query::new(keys::runs_pk(org), Range::All, 1_000).descending()).await?;
    rows.iter().filter_map(|row| entry(row).transpose()).collect()
}

fn entry(row: &Row) -> Result<Option<(RunId, RunEntry)>> {
    // The sort key is the run's id, written by us.
    let id: Option<RunId> = row.key.sk.parse().ok();
    id.map(|id| Ok((id, row.read()?))).transpose()
}
