//! The rows of an organization's list of runs: reads them, and creates the rows that record moved runs.

use futures::stream::{self, StreamExt, TryStreamExt};
use jiff::SignedDuration;
use svc_domain::ids::{ItemKey, OrgId, RunId};
use svc_domain::run::list::RunList;
use svc_storage::{Key, Limits, Op, Row, keys};

use super::change::RunEntry;
use crate::App;
use crate::error::Result;

/// Reads at a time.
const AT_ONCE: usize = 8;

/// For how long a row says that runs got another item: longer than anybody's memory lasts unasked.
const MOVED_KEPT: SignedDuration = SignedDuration::from_hours(24);

/// The places of these runs in the list, newest first; of those that have one.
pub(super) async fn entries(app: &App, org: OrgId, runs: &[RunId]) -> Result<Vec<(RunId, RunEntry)>> {
    let mut wanted: Vec<Key> = runs.iter().map(|run| keys::run_entry(org, *run)).collect();
    wanted.sort_unstable_by(|one, other| other.cmp(one));
    wanted.dedup();
    let mut reads = Vec::new();
    for chunk in wanted.chunks(Limits::KEYS) {
        reads.push(app.table.get_many(chunk));
    }
    let found: Vec<Vec<Option<Row>>> = stream::iter(reads).buffered(AT_ONCE).try_collect().await?;
    found.iter().flatten().flatten().filter_map(|row| entry(row).transpose()).collect()
}

/// The place of a run; `None` for a row that says something else.
pub(super) fn entry(row: &Row) -> Result<Option<(RunId, RunEntry)>> {
    // The sort key of a place is the run's id, written by us.
    let id: Option<RunId> = row.key.sk.parse().ok();
    id.map(|id| Ok((id, row.read()?))).transpose()
}

/// Takes in what these rows say, newest first, as they are read.
pub(super) fn take_in(list: &mut RunList, entries: Vec<(RunId, RunEntry)>) {
    for (id, entry) in entries.into_iter().rev() {
        list.put(id, &entry.item, entry.agent, entry.status);
    }
}

/// What a commit writes that gives these runs another item: those who remember them read them again.
pub(crate) fn moved_op(app: &App, org: OrgId, from: &ItemKey, runs: &[RunId]) -> Op {
    let row = Op::create(keys::moved_runs(org, app.uuid(), from), &runs);
    row.expiring((app.now() + MOVED_KEPT).as_second())
}
