//! Which runs a list has, read from the rows that know: an item's own runs, the queue, the runs at work, and for what none
//! of these answers, what this process remembers of all runs of the organization.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::stream::{self, StreamExt, TryStreamExt};
use svc_domain::ids::{ItemKey, OrgId, ProjectKey, RunId};
use svc_domain::run::RunStatus;
pub use svc_domain::run::list::RunFilter;
use svc_domain::run::list::RunList;
use svc_storage::{Query, Range, Row, keys};

use super::change::QueueEntry;
use super::run_entries::{entries, take_in};
use super::run_lists::OrgRuns;
use crate::App;
use crate::error::{Error, Result};
use crate::tracker::Feed;

/// Feeds of projects that are brought up to date at a time.
const AT_ONCE: usize = 8;

/// Ids of an item's runs, newest first.
pub(super) async fn of_item(app: &App, org: OrgId, item: &ItemKey) -> Result<Vec<RunId>> {
    let range = Range::Prefix(keys::ITEM_RUN_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::item_pk(org, item), range, 1_000).descending()).await?;
    Ok(rows.iter().map(Row::read).collect::<Result<_, _>>()?)
}

/// Runs among which are all those that the filter admits, as they are now.
pub(super) async fn of(app: &App, org: OrgId, filter: &RunFilter) -> Result<Arc<OrgRuns>> {
    match few(app, org, filter).await? {
        Some(runs) => {
            let mut list = RunList::default();
            take_in(&mut list, entries(app, org, &runs).await?);
            Ok(Arc::new(OrgRuns::of(list)))
        }
        None => app.run_lists.fresh(app, org).await,
    }
}

/// The same, where something knows them without remembering all: it is cheaper for who has not remembered yet.
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

/// A part of the runs of these projects that a filter admits, newest first, and how many there are, without those of
/// items that are not there as this call is made.
pub(super) async fn page(
    app: &App,
    org: OrgId,
    runs: &OrgRuns,
    (filter, projects): (&RunFilter, impl Iterator<Item = &ProjectKey>),
    part: (usize, usize),
) -> Result<(Vec<RunId>, usize)> {
    let mut fresh = Vec::new();
    for project in projects {
        fresh.push(async move { Ok::<_, Error>((project, app.feeds.fresh(app, org, project).await?)) });
    }
    let feeds: BTreeMap<&ProjectKey, Arc<Feed>> = stream::iter(fresh).buffered(AT_ONCE).try_collect().await?;
    let visible = |project: &ProjectKey| feeds.contains_key(project);
    {
        let list = runs.read();
        if feeds.iter().all(|(project, feed)| list.knows(project, feed.read().numbers())) {
            return Ok(list.page(filter, visible, part));
        }
    }
    let mut list = runs.write();
    feeds.iter().for_each(|(project, feed)| list.know(project, feed.read().numbers()));
    Ok(list.page(filter, visible, part))
}
