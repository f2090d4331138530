//! Rows of runs: the run itself, its lists and its queue. The table of all rows is in the module above.

use std::fmt::Display;

use svc_domain::budget::Budgets;
use svc_domain::ids::{CommentId, ItemKey, OrgId, RunId, RunnerId};
use svc_domain::log::LogHead;
use svc_domain::run::Run;

use super::{item_pk, org_pk, sortable};
use crate::{Key, KeyOf};

/// Partition of a run.
pub fn run_pk(org: OrgId, run: RunId) -> String {
    format!("RUN#{org}#{run}")
}

/// A run.
pub fn run(org: OrgId, run: RunId) -> KeyOf<Run> {
    KeyOf::new(run_pk(org, run), "RUN")
}

/// The prompt given to a run's harness.
pub fn run_prompt(org: OrgId, run: RunId) -> Key {
    Key::new(run_pk(org, run), "PROMPT")
}

/// The head of a run's log.
pub fn run_log(org: OrgId, run: RunId) -> KeyOf<LogHead> {
    KeyOf::new(run_pk(org, run), "LOG")
}

/// Organization of a run, for addresses that do not name it.
pub fn run_ref(run: RunId) -> KeyOf<OrgId> {
    KeyOf::new(format!("RUNREF#{run}"), "ORG")
}

/// Partition of the run list of an organization; run ids sort by the time they were queued.
pub fn runs_pk(org: OrgId) -> String {
    format!("RUNS#{org}")
}

/// A run in the list.
pub fn run_entry(org: OrgId, run: RunId) -> Key {
    Key::new(runs_pk(org), run.to_string())
}

/// The organization and the run of a place in a list of runs.
pub fn run_of_entry(key: &Key) -> Option<(OrgId, RunId)> {
    let org = key.pk.strip_prefix("RUNS#")?;
    Some((org.parse().ok()?, key.sk.parse().ok()?))
}

/// The runs that followed an item to its new key, in the list between the runs of that time: `moment` is an id that was
/// made then.
pub fn moved_runs(org: OrgId, moment: impl Display, from: &ItemKey) -> Key {
    Key::new(runs_pk(org), format!("{moment}#{from}"))
}

/// Partition of an organization's run queue.
pub fn queue_pk(org: OrgId) -> String {
    format!("QUEUE#{org}")
}

/// A queued run, sorted by the time from which it may be taken.
pub fn queued_run(org: OrgId, available_millis: i64, run: RunId) -> Key {
    Key::new(queue_pk(org), format!("{}#{run}", sortable(available_millis)))
}

/// Partition of the runs that a runner holds, which the tick looks at.
pub fn live_pk(org: OrgId) -> String {
    format!("LIVE#{org}")
}

/// A run that a runner holds.
pub fn live_run(org: OrgId, run: RunId) -> Key {
    Key::new(live_pk(org), run.to_string())
}

/// Partition of the requests that runners got the runs by that they hold.
pub fn taken_pk(org: OrgId) -> String {
    format!("TAKEN#{org}")
}

/// The run that a runner's request got, as long as the runner holds it. The id of the request is what the runner made
/// up, and comes last.
pub fn taken_run(org: OrgId, runner: RunnerId, request: &str) -> KeyOf<RunId> {
    KeyOf::new(taken_pk(org), format!("{runner}#{request}"))
}

/// Sort keys of the mentions that ask for runs of an item begin with this; they sort as they were written.
pub const MENTION_PREFIX: &str = "MENTION#";

/// A mention of an agent that asks for a run: when it was written, in which version of which comment, and its place
/// there.
pub fn mention(
    org: OrgId,
    item: &ItemKey,
    at_millis: i64,
    comment: CommentId,
    (version, place): (u64, usize),
) -> Key {
    let place = format!("{version:06}.{place:03}");
    Key::new(item_pk(org, item), format!("{MENTION_PREFIX}{}#{comment}#{place}", sortable(at_millis)))
}

/// Partition of what is kept of an organization's runs that ended, for numbers.
pub fn ended_runs_pk(org: OrgId) -> String {
    format!("ENDED#{org}")
}

/// What is kept of a run that ended, sorted by the time of its end.
pub fn ended_run(org: OrgId, at_millis: i64, run: RunId) -> Key {
    Key::new(ended_runs_pk(org), format!("{}#{run}", sortable(at_millis)))
}

/// The budgets of an organization.
pub fn budgets(org: OrgId) -> KeyOf<Budgets> {
    KeyOf::new(org_pk(org), "BUDGETS")
}

/// What each run that begins under a budget rewrites, so that of two that would exceed it together one waits.
pub fn starts(org: OrgId) -> Key {
    Key::new(org_pk(org), "STARTS")
}
