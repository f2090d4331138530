//! A runner takes a run.
//!
//! Protocol.
//! 1. Repeating a request returns the same assignment, as long as it lives. The commit of an assignment creates the row
//!    of its request, so that of two commits for one request, which may run on two servers, the second fails; its call
//!    answers what the first one got.
//! 2. The queue is read from its oldest row to those whose time has come, by one of the requests of this process for
//!    all of them ([`super::queue`]). What the runner may not take is not offered to it.
//! 3. What it is offered is assigned in one commit that demands the run as read and deletes its queue row: of
//!    two runners one wins, and the other goes on to the next offer. It goes on as well where the item is claimed by
//!    somebody else meanwhile, or where the organization, project or agent accepts no work now ([`super::waiting`]).
//! 4. If nothing is offered, the request waits for a signal of this process, and checks every second for runs that
//!    another process queued or that are now due.
//!
//! The agent token is derived from the runner's secret, the run and the assignment's number, so that a
//! repeated request gets the same one although only its hash is stored.

use std::time::Duration;

use svc_domain::harness::Harness;
use svc_domain::ids::{OrgId, RunId, RunnerId};
use svc_domain::item::Item;
use svc_domain::refusal::Refusal;
use svc_domain::run::machine::{Event, Offer};
use svc_domain::run::{Hold, Run, RunStatus, State};
use svc_domain::runner::RunnerStatus;
use svc_storage::{Condition, Op, Row, keys};
use tokio::sync::{Mutex, MutexGuard};

use super::budgets::Spending;
use super::change::{RunChange, token_op};
use super::credential::{self, HostedRun};
use super::loaded::LoadedRun;
use super::queue::Seat;
use super::runner_entry::{RunnerEntry, enter_runner};
use super::runners::{gone, note_status};
use super::waiting;
use crate::App;
use crate::entry::BearerCredential;
use crate::error::{Error, Result, is_conflict};
use crate::queue_views::{Asker, Queued, Tried};
use crate::secrets::{self, SecretKind};
use crate::transaction::Transaction;
use crate::wanted;

/// Longest id of a request, in bytes.
const MAX_REQUEST: usize = 200;

/// What a runner asks for.
#[derive(Clone, Debug)]
pub struct TakeRequest {
    /// Harnesses that it can start now.
    pub harnesses: Vec<Harness>,
    /// How long it waits.
    pub wait: Duration,
    /// Id of the request; repeating it answers the same assignment.
    pub request: String,
}

/// A run handed to a runner.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The run, with its number in `fence`.
    pub run: Run,
    /// Slug of the organization.
    pub organization: String,
    /// The item as it is now.
    pub item: Item,
    /// The run's agent token.
    pub token: String,
    /// What the harness is told.
    pub prompt: String,
    /// Its repository, where that is at the code host.
    pub hosted: Option<HostedRun>,
}

/// Takes the oldest run that this runner may take, waiting for one if there is none.
///
/// # Errors
/// [`Refusal::Unauthenticated`] also when the secret stops working while it waits; [`Refusal::Invalid`].
pub async fn take(
    app: &App,
    credential: Option<&BearerCredential>,
    request: &TakeRequest,
) -> Result<Option<Assignment>> {
    if request.request.is_empty() || request.request.len() > MAX_REQUEST {
        let message = format!("Give an id of 1 to {MAX_REQUEST} bytes.");
        return Err(Refusal::invalid("requestId", message).into());
    }
    let wanted = |org, runner| (keys::seen(org, runner), keys::taken_run(org, runner, &request.request));
    let (entry, (seen, taken)) = enter_runner(app, credential, wanted).await?;
    let credential = credential.ok_or(Refusal::Unauthenticated)?;
    note(app, &entry, seen.as_deref(), &request.harnesses).await?;
    if let Some(assignment) = had(app, &entry, credential, request, taken.as_deref()).await? {
        return Ok(Some(assignment));
    }
    let most = Duration::from_secs(u64::from(app.settings.take_wait_seconds()));
    let org = entry.org_id();
    let wait = request.wait.min(most);
    match wait_for_one(app, org, entry.runner.id, credential, (request, wait)).await? {
        Some(assignment) => Ok(Some(assignment)),
        // The call that this one repeats may have got a run meanwhile.
        None => repeated(app, &entry, credential, request).await,
    }
}

async fn note(app: &App, entry: &RunnerEntry, seen: Option<&Row>, harnesses: &[Harness]) -> Result<()> {
    let known: Option<RunnerStatus> = seen.map(Row::read).transpose()?;
    let mut status = known.unwrap_or_else(|| RunnerStatus::unintroduced(app.now()));
    (status.at, status.left) = (app.now(), false);
    status.harnesses = harnesses.to_vec();
    note_status(app, entry.org_id(), entry.runner.id, &status).await
}

/// The assignment that the same request has got meanwhile.
async fn repeated(
    app: &App,
    entry: &RunnerEntry,
    credential: &BearerCredential,
    request: &TakeRequest,
) -> Result<Option<Assignment>> {
    let key = keys::taken_run(entry.org_id(), entry.runner.id, &request.request);
    let row = app.table.get(&key).await?;
    had(app, entry, credential, request, row.as_ref()).await
}

/// The assignment of the run that the row of a request names.
async fn had(
    app: &App,
    entry: &RunnerEntry,
    credential: &BearerCredential,
    request: &TakeRequest,
    row: Option<&Row>,
) -> Result<Option<Assignment>> {
    match row {
        Some(row) => of_run(app, entry, credential, request, row.read()?).await,
        None => Ok(None),
    }
}

/// The assignment of a run, if that is still the one which the request got.
async fn of_run(
    app: &App,
    entry: &RunnerEntry,
    credential: &BearerCredential,
    request: &TakeRequest,
    run: RunId,
) -> Result<Option<Assignment>> {
    let org = entry.org_id();
    let loaded = match LoadedRun::load(app, org, run).await {
        // Its organization deleted it since the row was read.
        Err(Error::Refused(Refusal::NotFound)) => return Ok(None),
        loaded => loaded?,
    };
    let holds = |hold: &Hold| hold.runner.id == entry.runner.id && hold.request == request.request;
    if !loaded.run.hold().is_some_and(holds) {
        // It was given back since the row was read, and another one may have it.
        return Ok(None);
    }
    match with_token_of(app, org, loaded, credential).await? {
        Some(run) => assignment(app, entry, run, credential).await.map(Some),
        None => Ok(None),
    }
}

/// The run with a token that this secret derives. It has one already, unless the secret was rotated between
/// the request and its repetition.
async fn with_token_of(
    app: &App,
    org: OrgId,
    loaded: LoadedRun,
    credential: &BearerCredential,
) -> Result<Option<Run>> {
    let hash = secrets::hash(&agent_token(credential, loaded.run.id, loaded.run.fence));
    let mut run = loaded.run;
    let hold = match &mut run.state {
        State::Assigned(hold) => hold,
        State::Running(working) => &mut working.hold,
        State::Queued(_) | State::Ended(_) => return Ok(None),
    };
    if hold.token_hash == hash {
        return Ok(Some(run));
    }
    let old = std::mem::replace(&mut hold.token_hash, hash.clone());
    let ops = vec![
        Op::replace(keys::run(org, run.id), loaded.version, &run),
        Op::delete(keys::credential(&old), Condition::None),
        token_op(app, org, &run, &hash),
    ];
    app.commit(Transaction::by_itself(app, org).with(ops)).await?;
    Ok(Some(run))
}

/// Waits for a run that this runner may take, and takes it.
async fn wait_for_one(
    app: &App,
    org: OrgId,
    runner: RunnerId,
    credential: &BearerCredential,
    (request, wait): (&TakeRequest, Duration),
) -> Result<Option<Assignment>> {
    let asker = Asker {
        runner,
        harnesses: request.harnesses.clone(),
        request: request.request.clone(),
        at_once: wait.is_zero(),
    };
    let seat = Seat::join(app, org, asker, wait);
    while let Some(queued) = seat.next().await? {
        // The secret may have been disabled while the request waited.
        let (entry, ()) = enter_runner(app, Some(credential), |_, _| ()).await?;
        match assign(app, &entry, credential, request, &queued).await {
            Ok(run) => {
                seat.took();
                match assignment(app, &entry, run, credential).await {
                    // Its item was deleted since.
                    Err(Error::Refused(Refusal::NotFound)) => return Ok(None),
                    taken => return taken.map(Some),
                }
            }
            Err(error) if is_conflict(&error) => {
                if let Some(assignment) = repeated(app, &entry, credential, request).await? {
                    return Ok(Some(assignment));
                }
                seat.tried(Tried::Conflict);
            }
            Err(error) => seat.tried(passed_over(&error).ok_or(error)?),
        }
    }
    Ok(None)
}

/// Why the run cannot be begun now, where that is no failure.
const fn passed_over(error: &Error) -> Option<Tried> {
    match error {
        Error::Refused(Refusal::ItemClaimed { .. } | Refusal::RunState(_)) => Some(Tried::Stuck),
        Error::Refused(Refusal::RunEnded | Refusal::NotFound) => Some(Tried::Gone),
        _ => None,
    }
}

/// The budgets that there are, with the turn to begin a run under them.
async fn within_budgets<'a>(
    app: &App,
    org: OrgId,
    turn: &'a Mutex<()>,
) -> Result<(Option<Spending>, Option<MutexGuard<'a, ()>>)> {
    let spending = Spending::of(app, org).await?;
    if spending.is_none() {
        return Ok((None, None));
    }
    if let Ok(held) = turn.try_lock() {
        return Ok((spending, Some(held)));
    }
    let held = turn.lock().await;
    // Another run has begun under the same budgets meanwhile.
    Ok((Spending::of(app, org).await?, Some(held)))
}

/// Hands the run to the runner.
async fn assign(
    app: &App,
    entry: &RunnerEntry,
    credential: &BearerCredential,
    request: &TakeRequest,
    queued: &Queued,
) -> Result<Run> {
    let (org, run) = (entry.org_id(), queued.run);
    let chosen = queued.chosen.filter(|id| queued.chosen_is_gone && *id != entry.runner.id);
    let chosen_is_gone = !gone(app, org, chosen).await?.is_empty();
    let turn = app.row_locks.of_starts(org);
    let (spending, _held) = within_budgets(app, org, &turn).await?;
    let loaded = LoadedRun::load(app, org, run).await?;
    if loaded.run.status() != RunStatus::Queued {
        return Err(Refusal::RunEnded.into());
    }
    let may_begin = waiting::may_begin(app, org, &loaded.run, spending.as_ref()).await?;
    let token = agent_token(credential, run, loaded.run.fence + 1);
    let offer = Offer {
        runner: entry.named(),
        harnesses: request.harnesses.clone(),
        chosen_is_gone,
        request: request.request.clone(),
        token_hash: secrets::hash(&token),
        budget: spending.map(|spending| spending.of_run(&loaded.run)).unwrap_or_default(),
    };
    let change =
        RunChange::decide(app, Transaction::by_itself(app, org), org, &loaded, Event::Take(offer)).await?;
    let (run, _) = change.demanding(may_begin).commit(app).await?;
    Ok(run)
}

async fn assignment(
    app: &App,
    entry: &RunnerEntry,
    run: Run,
    credential: &BearerCredential,
) -> Result<Assignment> {
    let org = entry.org_id();
    let wanted = (keys::item(org, &run.item), keys::run_prompt(org, run.id));
    let (Some(item), Some(prompt)) = wanted::load(app, wanted).await? else {
        return Err(Refusal::NotFound.into());
    };
    let (item, prompt) = (item.read()?, prompt.read()?);
    let token = agent_token(credential, run.id, run.fence);
    let hosted = credential::handed_over(app, org, &run).await?;
    Ok(Assignment { run, organization: entry.org.slug.to_string(), item, token, prompt, hosted })
}

fn agent_token(credential: &BearerCredential, run: RunId, fence: u64) -> String {
    let parts: [&[u8]; 2] = [run.0.as_bytes(), &fence.to_be_bytes()];
    credential.derivation_key.derive(SecretKind::AgentRun, &parts)
}
