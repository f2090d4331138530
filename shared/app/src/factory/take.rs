//! A runner takes a run.
//!
//! Protocol.
//! 1. Who repeats a request is answered the assignment that the request got, as long as it lives. The commit of an
//!    assignment creates the row of its request, so that of two commits for one request, which may run on two servers,
//!    the second fails; its call answers what the first one got. A server from before there were such rows wrote none:
//!    when this process meets a runner, it looks for the request among the runs that are at work.
//! 2. The queue is read from its oldest row to those whose time has come. What the runner may not take is
//!    passed over; so is a run whose item somebody else has claimed meanwhile, and one whose organization,
//!    project or agent accepts no work now ([`super::waiting`]).
//! 3. The first candidate is assigned in one commit that demands the run as read and deletes its queue row: of
//!    two runners one wins, and the other goes on to the next candidate.
//! 4. With nothing found, the request waits for a bell of this process, and looks again every second for what
//!    another process queued or whose time has come.
//!
//! The agent token is derived from the runner's secret, the run and the assignment's number, so that a
//! repeated request gets the same one although only its hash is stored.

use std::collections::{BTreeSet, HashSet};
use std::time::Duration;

use svc_domain::harness::Harness;
use svc_domain::ids::{ItemKey, OrgId, RunId, RunnerId};
use svc_domain::item::Item;
use svc_domain::refusal::Refusal;
use svc_domain::run::machine::{Event, Offer};
use svc_domain::run::{Hold, Run, State};
use svc_domain::runner::RunnerStatus;
use svc_storage::{Condition, Key, Op, Query, Range, Row, keys};

use super::budgets::Spending;
use super::change::{QueueEntry, RunChange, token_op};
use super::credential::{self, HostedRun};
use super::live::LiveEntry;
use super::loaded::LoadedRun;
use super::runner_entry::{RunnerEntry, enter_runner};
use super::runners::{gone, note_status};
use super::waiting;
use crate::App;
use crate::entry::BearerCredential;
use crate::error::{Error, Result, is_conflict};
use crate::secrets::{self, SecretKind};
use crate::transaction::Transaction;

/// How often a waiting request looks for what other processes did.
const POLL: Duration = Duration::from_secs(1);
/// Rows of the queue read at once.
const LOOK: usize = 50;
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
    let entry = enter_runner(app, credential, |org, runner| {
        vec![keys::seen(org, runner), keys::taken_run(org, runner, &request.request)]
    })
    .await?;
    let credential = credential.ok_or(Refusal::Unauthenticated)?;
    note(app, &entry, &request.harnesses).await?;
    if let Some(assignment) = had(app, &entry, credential, request, entry.rows[1].as_ref()).await? {
        return Ok(Some(assignment));
    }
    if let Some(assignment) = of_older_server(app, &entry, credential, request).await? {
        return Ok(Some(assignment));
    }
    let most = Duration::from_secs(u64::from(app.settings.automation.take_wait_seconds));
    let org = entry.org_id();
    let wait = request.wait.min(most);
    let found = app.notifier.wait_for(org, wait, POLL, || look(app, org, credential, request)).await?;
    match found {
        Some(assignment) => Ok(Some(assignment)),
        // The call that this one repeats may have got a run meanwhile.
        None => repeated(app, &entry, credential, request).await,
    }
}

async fn note(app: &App, entry: &RunnerEntry, harnesses: &[Harness]) -> Result<()> {
    let known: Option<RunnerStatus> = entry.rows[0].as_ref().map(Row::read).transpose()?;
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

/// The assignment that the same request got of a server that wrote no rows of requests.
async fn of_older_server(
    app: &App,
    entry: &RunnerEntry,
    credential: &BearerCredential,
    request: &TakeRequest,
) -> Result<Option<Assignment>> {
    let (org, runner) = (entry.org_id(), entry.runner.id);
    if app.met_runners.knows(runner) {
        return Ok(None);
    }
    let live = app.table.query_all(Query::new(keys::live_pk(org), Range::All, 1_000)).await?;
    let live = live.iter().map(Row::read).collect::<Result<Vec<LiveEntry>, _>>()?;
    let same = |held: &&LiveEntry| held.runner == runner && held.request == request.request;
    match live.iter().find(same) {
        // The answer may be lost again.
        Some(held) => of_run(app, entry, credential, request, held.run).await,
        None => {
            app.met_runners.add(runner);
            Ok(None)
        }
    }
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

/// Looks through the queue once.
async fn look(
    app: &App,
    org: OrgId,
    credential: &BearerCredential,
    request: &TakeRequest,
) -> Result<Option<Assignment>> {
    let until = format!("{}~", keys::sortable(app.now().as_millisecond()));
    let mut query = Query::new(keys::queue_pk(org), Range::Between("0".to_owned(), until), LOOK);
    let mut looks_ahead = false;
    loop {
        let page = app.table.query(&query).await?;
        let entries = page.rows.iter().map(Row::read).collect::<Result<Vec<QueueEntry>, _>>()?;
        if !entries.is_empty() {
            let taken = offer(app, org, credential, request, &entries, &mut looks_ahead).await?;
            if taken.is_some() {
                return Ok(taken);
            }
        }
        match page.cursor {
            Some(cursor) => query.cursor = Some(cursor),
            None => return Ok(None),
        }
    }
}

/// Takes the first of these runs that the runner may take. Once one of them could not begin, it looks ahead which others
/// wait for blockers, all at once, so that many of them cost a runner's look little; `looks_ahead` is for the next rows.
async fn offer(
    app: &App,
    org: OrgId,
    credential: &BearerCredential,
    request: &TakeRequest,
    entries: &[QueueEntry],
    looks_ahead: &mut bool,
) -> Result<Option<Assignment>> {
    // The secret may have been disabled while the request waited.
    let entry = enter_runner(app, Some(credential), |_, _| vec![]).await?;
    let chosen = entries.iter().filter_map(|queued| queued.chosen_runner);
    let gone = gone(app, org, chosen.filter(|id| *id != entry.runner.id)).await?;
    let mut spending = Spending::of(app, org).await?;
    let mut blocked = if *looks_ahead { Some(blocked(app, org, entries).await?) } else { None };
    for (place, queued) in entries.iter().enumerate() {
        let chosen_is_gone = queued.chosen_runner.is_some_and(|id| gone.contains(&id));
        let waits = blocked.as_ref().is_some_and(|blocked: &HashSet<RunId>| blocked.contains(&queued.run));
        if waits || !fits(queued, entry.runner.id, chosen_is_gone, request) {
            continue;
        }
        let offered = (queued.run, chosen_is_gone, spending.as_ref());
        match assign(app, &entry, credential, request, offered).await {
            Ok(assignment) => return Ok(Some(assignment)),
            Err(error) if is_conflict(&error) => {
                if let Some(assignment) = repeated(app, &entry, credential, request).await? {
                    return Ok(Some(assignment));
                }
                if spending.is_some() {
                    // Another run may have begun under the same budget.
                    spending = Spending::of(app, org).await?;
                }
            }
            Err(error) if is_passed_over(&error) => {
                if blocked.is_none() && matches!(error, Error::Refused(Refusal::RunState(_))) {
                    *looks_ahead = true;
                    blocked = Some(self::blocked(app, org, &entries[place + 1..]).await?);
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// Those of the runs that do not begin because an item is open that blocks theirs, in two reads.
async fn blocked(app: &App, org: OrgId, entries: &[QueueEntry]) -> Result<HashSet<RunId>> {
    let wanted: Vec<Key> = entries.iter().map(|queued| keys::run(org, queued.run)).collect();
    if wanted.is_empty() {
        return Ok(HashSet::new());
    }
    let rows = app.table.get_many(&wanted).await?;
    let mut runs = rows.iter().flatten().map(Row::read).collect::<Result<Vec<Run>, _>>()?;
    runs.retain(Run::waits_for_blockers);
    if runs.is_empty() {
        return Ok(HashSet::new());
    }
    let items: BTreeSet<&ItemKey> = runs.iter().map(|run| &run.item).collect();
    let wanted: Vec<Key> = items.into_iter().map(|item| keys::item(org, item)).collect();
    let rows = app.table.get_many(&wanted).await?;
    let items = rows.iter().flatten().map(Row::read).collect::<Result<Vec<Item>, _>>()?;
    let waiting: BTreeSet<ItemKey> =
        items.into_iter().filter(|item| item.has_open_blocker).map(|item| item.key).collect();
    Ok(runs.into_iter().filter(|run| waiting.contains(&run.item)).map(|run| run.id).collect())
}

/// Whether it is worth loading the run to ask.
fn fits(queued: &QueueEntry, runner: RunnerId, chosen_is_gone: bool, request: &TakeRequest) -> bool {
    match queued.chosen_runner {
        Some(chosen) if chosen == runner => true,
        Some(_) if !chosen_is_gone => false,
        Some(_) | None => request.harnesses.contains(&queued.harness),
    }
}

/// The run cannot be begun now.
fn is_passed_over(error: &Error) -> bool {
    matches!(
        error,
        Error::Refused(
            Refusal::ItemClaimed { .. } | Refusal::RunState(_) | Refusal::RunEnded | Refusal::NotFound
        )
    )
}

async fn assign(
    app: &App,
    entry: &RunnerEntry,
    credential: &BearerCredential,
    request: &TakeRequest,
    (run, chosen_is_gone, spending): (RunId, bool, Option<&Spending>),
) -> Result<Assignment> {
    let org = entry.org_id();
    let loaded = LoadedRun::load(app, org, run).await?;
    let may_begin = waiting::may_begin(app, org, &loaded.run, spending).await?;
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
    assignment(app, entry, run, credential).await
}

async fn assignment(
    app: &App,
    entry: &RunnerEntry,
    run: Run,
    credential: &BearerCredential,
) -> Result<Assignment> {
    let org = entry.org_id();
    let wanted = [keys::item(org, &run.item), keys::run_prompt(org, run.id)];
    let mut rows = app.table.get_many(&wanted).await?.into_iter();
    let item = rows.next().flatten().ok_or(Refusal::NotFound)?.read()?;
    let prompt = rows.next().flatten().ok_or(Refusal::NotFound)?.read()?;
    let token = agent_token(credential, run.id, run.fence);
    let hosted = credential::handed_over(app, org, &run).await?;
    Ok(Assignment { run, organization: entry.org.slug.to_string(), item, token, prompt, hosted })
}

fn agent_token(credential: &BearerCredential, run: RunId, fence: u64) -> String {
    let parts: [&[u8]; 2] = [run.0.as_bytes(), &fence.to_be_bytes()];
    credential.derivation_key.derive(SecretKind::AgentRun, &parts)
}
