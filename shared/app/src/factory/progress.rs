//! A runner's reports about a run that it holds: started, alive, given back, finished.
//!
//! Every call presents the number of the assignment; the machine refuses an assignment that has ended.

use std::time::Duration;

use futures::future::try_join_all;
use jiff::{SignedDuration, Timestamp};
use svc_domain::ids::{OrgId, RunId};
use svc_domain::refusal::Refusal;
pub use svc_domain::run::UsedSoFar;
use svc_domain::run::machine::{Effect, Event, Presenter};
use svc_domain::run::{Ending, Report, Run, outcome, spending};
use svc_storage::{Condition, Op, Query, Range, Row, RowOf, keys};

use super::change::{RunChange, lost_after};
use super::live::LiveEntry;
use super::loaded::LoadedRun;
use super::log;
use super::runner_entry::{RunnerEntry, enter_at_work};
use super::runs::REPORT_WINDOW;
use crate::App;
use crate::entry::BearerCredential;
use crate::error::Result;
use crate::transaction::Transaction;
use crate::wanted;

/// The harness started. Answers whether to stop it.
///
/// # Errors
/// [`Refusal::NotFound`], [`Refusal::AssignmentEnded`].
pub async fn started(
    app: &App,
    credential: Option<&BearerCredential>,
    run: RunId,
    fence: u64,
    session: Option<&str>,
) -> Result<bool> {
    let session = session.map(ToOwned::to_owned);
    step(app, credential, run, |by| Event::Start { by, session: session.clone() }, fence).await
}

/// How often a held heartbeat looks for what other processes did.
const POLL: Duration = Duration::from_secs(1);

/// The run goes on. Answers whether to stop the harness; where it is not to be stopped, after `wait`, or as soon as it is.
///
/// The sign of life is one small write; every so often it also keeps the item's claim fresh. A held answer costs one
/// small read a second.
///
/// # Errors
/// As [`started`].
pub async fn heartbeat(
    app: &App,
    credential: Option<&BearerCredential>,
    run: RunId,
    fence: u64,
    (used, wait): (&UsedSoFar, Duration),
) -> Result<bool> {
    let stop = keep_alive(app, credential, run, fence, used).await?;
    if stop || wait.is_zero() {
        return Ok(stop);
    }
    let (entry, ()) = enter_at_work(app, credential, |_, _| ()).await?;
    let (org, by) = (entry.org_id(), Presenter { runner: entry.runner.id, fence });
    let most = Duration::from_secs(u64::from(app.settings.take_wait_seconds()));
    let look = || async {
        let loaded = LoadedRun::load(app, org, run).await?;
        let (after, _) = svc_domain::run::machine::step(&loaded.run, Event::Log(by), app.now())?;
        Ok::<_, crate::error::Error>(after.wants_stop().then_some(()))
    };
    Ok(app.notifier.wait_for(org, wait.min(most), POLL, look).await?.is_some())
}

/// The sign of life alone.
async fn keep_alive(
    app: &App,
    credential: Option<&BearerCredential>,
    run: RunId,
    fence: u64,
    used: &UsedSoFar,
) -> Result<bool> {
    app.decide(|| async {
        let (entry, (row, live_row)) = enter(app, credential, run).await?;
        let org = entry.org_id();
        let loaded = LoadedRun::of(row.as_ref().ok_or(Refusal::NotFound)?)?;
        let by = Presenter { runner: entry.runner.id, fence };
        let (after, effects) = svc_domain::run::machine::step(&loaded.run, Event::Heartbeat(by), app.now())?;
        if effects.is_empty() {
            return Ok(after.wants_stop());
        }
        let Some(row) = &live_row else { return Err(Refusal::AssignmentEnded.into()) };
        let live: LiveEntry = row.read()?;
        let live = LiveEntry { heartbeat_at: app.now(), used: used.checked().at_least(live.used), ..live };
        let transaction = Transaction::by_itself(app, org);
        if let Some(detail) = spending::exceeded(&loaded.run, &live.used, app.now()) {
            // The end takes from there what was used.
            alive(app, org, row, &live).await?;
            let event = Event::OverBudget { detail, window_open_for: REPORT_WINDOW };
            RunChange::decide(app, transaction, org, &loaded, event).await?.commit(app).await?;
            return Ok(true);
        }
        if app.now().duration_since(live.claim_at) > app.settings.claims.stale_after() / 3 {
            let live = LiveEntry { claim_at: app.now(), ..live };
            let change = RunChange::decide(app, transaction, org, &loaded, Event::Heartbeat(by)).await?;
            change.with_live(&live).unless_changed(row).commit(app).await?;
        } else {
            alive(app, org, row, &live).await?;
        }
        Ok(after.wants_stop())
    })
    .await
}

async fn alive(app: &App, org: OrgId, row: &Row, live: &LiveEntry) -> Result<()> {
    let row = Op::put(keys::live_run(org, live.run), Condition::Version(row.version), live);
    app.commit(Transaction::bookkeeping(app).with([row])).await
}

/// The runner cannot begin the run now: it goes back to its queue, and its log says why.
///
/// # Errors
/// As [`started`]; [`Refusal::RunState`] once the harness has started.
pub async fn give_back(
    app: &App,
    credential: Option<&BearerCredential>,
    run: RunId,
    fence: u64,
    reason: &str,
) -> Result<()> {
    let (entry, ()) = enter_at_work(app, credential, |_, _| ()).await?;
    step(app, credential, run, Event::GiveBack, fence).await?;
    let text = svc_domain::untrusted::shortened(reason, MAX_REASON);
    let text = format!("{} gave the run back: {text}", entry.runner.name);
    log::note(app, entry.org_id(), run, fence, text).await
}

/// The run is over.
///
/// # Errors
/// As [`started`].
pub async fn finish(
    app: &App,
    credential: Option<&BearerCredential>,
    run: RunId,
    fence: u64,
    ending: &Ending,
    report: &Report,
) -> Result<()> {
    let report = checked(report.clone());
    let finish = |by| Event::Finish { by, ending: ending.clone(), report: report.clone() };
    step(app, credential, run, finish, fence).await.map(|_| ())
}

/// Looks whether a run's runner was heard of recently enough; the run is lost if not. Answers when to look
/// again, if ever.
///
/// # Errors
/// Those of storage.
pub async fn watch(app: &App, org: OrgId, run: RunId) -> Result<Option<SignedDuration>> {
    app.decide(|| async {
        let found = wanted::load(app, (keys::run(org, run), keys::live_run(org, run))).await?;
        let (Some(run_row), Some(live_row)) = &found else { return Ok(None) };
        let live: LiveEntry = live_row.read()?;
        let (last_heard, lost_after) = (last_heard(app, &live), lost_after(app));
        let event = Event::Silence { last_heard, lost_after };
        let transaction = Transaction::by_itself(app, org);
        let change = RunChange::decide(app, transaction, org, &LoadedRun::of(run_row)?, event).await?;
        if change.effects() == [Effect::Watch] {
            let due: Timestamp = last_heard.saturating_add(lost_after).unwrap_or(Timestamp::MAX);
            return Ok(Some(due.duration_since(app.now())));
        }
        let lost = !change.is_nothing();
        // A heartbeat at this moment changes the live row, and the run is not lost after all.
        change.unless_changed(live_row).commit(app).await?;
        if lost {
            tracing::warn!(%run, "runner lost");
        }
        Ok(None)
    })
    .await
}

/// Looks at every live run whose runner was not heard of for too long: what was to look at it may have been lost.
///
/// # Errors
/// Those of storage.
pub async fn watch_silent(app: &App) -> Result<()> {
    let orgs = app.table.query_all(Query::new(keys::ORGS_PK, Range::All, 1_000)).await?;
    // The sort key is the organization's id, written by us.
    let orgs: Vec<OrgId> = orgs.iter().filter_map(|row| row.key.sk.parse().ok()).collect();
    for together in orgs.chunks(ORGS_AT_ONCE) {
        let live = |org| app.table.query_all(Query::new(keys::live_pk(org), Range::All, 1_000));
        let live = try_join_all(together.iter().copied().map(live)).await?;
        for (org, live) in together.iter().zip(live) {
            for entry in live.iter().map(Row::read::<LiveEntry>) {
                let entry = entry?;
                if app.now().duration_since(last_heard(app, &entry)) >= lost_after(app) {
                    watch(app, *org, entry.run).await?;
                }
            }
        }
    }
    Ok(())
}

/// Organizations whose live runs are read at the same time: one after the other, ten thousand would take longer than the
/// minute to the next look.
const ORGS_AT_ONCE: usize = 50;

/// When the runner of a live run was last heard of. A server that was away heard nobody: its own silence is not the
/// runner's, and neither is a clock that was set.
fn last_heard(app: &App, live: &LiveEntry) -> Timestamp {
    let hearing = app.hearing.as_ref();
    hearing.map_or(live.heartbeat_at, |hearing| hearing.last_heard(live.heartbeat_at, &*app.clock))
}

async fn step(
    app: &App,
    credential: Option<&BearerCredential>,
    run: RunId,
    event: impl Fn(Presenter) -> Event,
    fence: u64,
) -> Result<bool> {
    app.decide(|| async {
        let (entry, (row, live)) = enter(app, credential, run).await?;
        let loaded = LoadedRun::of(row.as_ref().ok_or(Refusal::NotFound)?)?.with_live(live);
        let by = Presenter { runner: entry.runner.id, fence };
        let (org, transaction) = (entry.org_id(), Transaction::by_itself(app, entry.org_id()));
        let change = RunChange::decide(app, transaction, org, &loaded, event(by)).await?;
        let (run, _) = change.commit(app).await?;
        Ok(run.wants_stop())
    })
    .await
}

async fn enter(
    app: &App,
    credential: Option<&BearerCredential>,
    run: RunId,
) -> Result<(RunnerEntry, (Option<RowOf<Run>>, Option<Row>))> {
    enter_at_work(app, credential, |org, _| (keys::run(org, run), keys::live_run(org, run))).await
}

/// A report comes from a machine that runs other people's programs: what cannot be stored or linked is left
/// out, the rest counts.
fn checked(mut report: Report) -> Report {
    report.pull_request = report.pull_request.as_deref().and_then(outcome::pull_request_url);
    let used = UsedSoFar { tokens: report.tokens, cost: report.cost }.checked();
    (report.tokens, report.cost) = (used.tokens, used.cost);
    report.outcome = report.outcome.map(|text| svc_domain::untrusted::shortened(&text, MAX_OUTCOME));
    for text in [&mut report.session, &mut report.pushed_branch] {
        *text = text.take().filter(|text| text.len() <= 300 && !text.chars().any(char::is_control));
    }
    report
}

/// Longest outcome that is kept, in bytes.
const MAX_OUTCOME: usize = 50_000;
/// Longest reason for giving a run back, in bytes.
const MAX_REASON: usize = 2_000;
