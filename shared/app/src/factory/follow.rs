//! Going on after a run that failed: continuing it by itself or by hand, and retrying it (specification sections 3.1
//! and 3.2).
//!
//! Whoever is first wins: a run that is queued by a person makes the failed one no longer the item's latest, so that
//! nothing is continued by itself after that. All of it is decided from the rows that the one commit demands unchanged.

use std::collections::BTreeSet;

use jiff::SignedDuration;
use svc_domain::access::Capability;
use svc_domain::comment::Comment;
use svc_domain::event::Via;
use svc_domain::failure::FailureReason;
use svc_domain::ids::{OrgId, OrgSlug, RunId, RunnerId};
use svc_domain::prompt;
use svc_domain::refusal::Refusal;
use svc_domain::run::machine::{Event, step};
use svc_domain::run::{Run, RunKind, State, Waiting, settle};
use svc_domain::runner::ONLINE_FOR;
use svc_domain::wiki::PagePath;
use svc_storage::keys;

use super::change::RunChange;
use super::dispatch::{self, Order, PlanRows, commit_planned, plan, queue, standing_ops};
use super::draft::{Asked, RunSelection};
use super::loaded::LoadedRun;
use super::runs::{Found, RunView};
use super::{refinements, runners, runs};
use crate::App;
use crate::entry::BearerCredential;
use crate::error::{Error, Result};
use crate::tracker::ItemChange;
use crate::transaction::Transaction;
use crate::wanted;
use crate::wiki;

/// Continues a failed run by itself, on the runner that has its workspace. Nothing happens when something
/// else has happened to the item since, or when it accepts no runs now. Answers when to try again, where the runner
/// has not had the time yet to be heard of by a server that was away.
///
/// # Errors
/// Those of storage.
pub async fn continue_automatically(app: &App, org: OrgId, run: RunId) -> Result<Option<SignedDuration>> {
    if is_settling(app) {
        let holder = LoadedRun::load(app, org, run).await?.run.hold().map(|hold| hold.runner.id);
        if !is_there(app, org, holder).await? {
            return Ok(Some(AGAIN));
        }
    }
    match app.decide(|| continue_once(app, org, run)).await {
        Ok(Some(next)) => fail_if_unresumable(app, org, next).await?,
        Ok(None) => {}
        Err(Error::Refused(refusal)) => tracing::info!(%run, %refusal, "not continued"),
        Err(error) => return Err(error),
    }
    Ok(None)
}

async fn continue_once(app: &App, org: OrgId, id: RunId) -> Result<Option<Run>> {
    let earlier = LoadedRun::load(app, org, id).await?.run;
    let places = (keys::org(org), keys::project(org, &earlier.item.project));
    let (Some(org_row), Some(project_row)) = wanted::load(app, places).await? else { return Ok(None) };
    if project_row.read()?.archived || org_row.read()?.read_only {
        return Ok(None);
    }
    let standing = [org_row.unchanged(), project_row.unchanged()];
    let next = Run { auto_continues: earlier.auto_continues + 1, ..continued(app, &earlier) };
    let transaction = Transaction::by_itself(app, org).with(standing);
    let via = Via::itself("an automatic continue");
    queue_continued(app, org, transaction, &earlier, &next, Some(via)).await?;
    Ok(Some(next))
}

/// Continues a failed run because a person asks: on the same runner, in the same session. Where that cannot be
/// resumed, the new run fails with `session-unavailable`.
///
/// # Errors
/// [`Refusal::FactoryNotPermitted`], [`Refusal::NotFound`]; [`Refusal::RunState`] for a run that did not fail, whose
/// harness never started, or that is not the item's latest; [`Refusal::LiveRunExists`], [`Refusal::ItemClaimed`];
/// [`Refusal::Forbidden`] for who may not read the page of its playbook.
pub async fn continue_by_hand(
    app: &App,
    caller: Option<&BearerCredential>,
    slug: Option<&OrgSlug>,
    run: RunId,
) -> Result<RunView> {
    let (org, next) = app
        .decide(|| async {
            let (Found { entry, loaded }, _) = find(app, caller, slug, run).await?;
            let next = Run {
                auto_continues: 0,
                despite_blockers: true,
                requested_by: entry.actor().clone(),
                ..continued(app, &loaded.run)
            };
            let transaction = Transaction::of(app, &entry).with(standing_ops(&entry));
            queue_continued(app, entry.org_id(), transaction, &loaded.run, &next, None).await?;
            Ok((entry.org_id(), next))
        })
        .await?;
    let id = next.id;
    fail_if_unresumable(app, org, next).await?;
    runs::view(app, caller, slug, id).await
}

/// Starts a failed run over because a person asks: from a fresh checkout, with the same playbook and agent as they
/// are now, and the same harness where one was chosen.
///
/// # Errors
/// As [`continue_by_hand`], and [`Refusal::Invalid`] for an agent that is disabled.
pub async fn retry(
    app: &App,
    caller: Option<&BearerCredential>,
    slug: Option<&OrgSlug>,
    run: RunId,
) -> Result<RunView> {
    app.decide(|| async {
        let (Found { entry, loaded }, rows) = find(app, caller, slug, run).await?;
        let earlier = loaded.run;
        step(&earlier, Event::Retry, app.now())?;
        let (playbook, agent) = (earlier.playbook.id.to_string(), earlier.agent.id.to_string());
        let selection = RunSelection {
            playbook: Some(&playbook),
            agent: Some(&agent),
            runner: None,
            harness: earlier.harness_is_chosen.then_some(earlier.harness),
        };
        let asked = asked(app, entry.org_id(), &earlier).await?;
        let mends = earlier.follow_up.as_ref().and_then(|follow_up| follow_up.request.as_ref());
        let order =
            Order { item: &earlier.item, selection, scheduled_for: None, asked: asked.as_ref(), mends };
        let mut planned = plan(app, &entry, rows, &order).await?;
        planned.run.kind = RunKind::Retry;
        planned.run.despite_blockers = true;
        planned.run.earlier_run = Some(earlier.id);
        planned.run.resume_session = None;
        let (next, prompt) = (planned.run.clone(), planned.prompt(app, entry.org_id()).await?);
        commit_planned(app, &entry, planned, &prompt, []).await?;
        runs::started(app, &entry, next, prompt).await
    })
    .await
}

/// A run and who wants it to go on, a person who may start it by hand; with the rows that planning another needs.
async fn find(
    app: &App,
    caller: Option<&BearerCredential>,
    slug: Option<&OrgSlug>,
    run: RunId,
) -> Result<(Found, PlanRows)> {
    let item = runs::find(app, caller, slug, run).await?.loaded.run.item;
    let (found, rows) = runs::find_with(app, caller, slug, run, |org| dispatch::rows_of(org, &item)).await?;
    found.entry.access.require(Capability::OperateFactory)?;
    let (org, playbook) = (found.entry.org_id(), found.loaded.run.playbook.id);
    let row =
        app.table.find(&keys::playbook(org, &item.project, playbook)).await?.ok_or(Refusal::NotFound)?;
    let playbook: svc_domain::playbook::Playbook = row.read()?;
    playbook.require_there(app.now())?;
    let page = PagePath::try_from(playbook.page_path).map_err(Refusal::from)?;
    if !wiki::reads(app, &found.entry.access, &item.project, &page).await? {
        return Err(Refusal::Forbidden(dispatch::UNREADABLE).into());
    }
    Ok((found, rows))
}

/// The comment that asked for a run.
async fn asked(app: &App, org: OrgId, run: &Run) -> Result<Option<Asked>> {
    let Some(id) = run.comment else { return Ok(None) };
    let Some(row) = app.table.find(&keys::comment(org, &run.item, id)).await? else { return Ok(None) };
    let comment: Comment = row.read()?;
    Ok((!comment.deleted).then_some(Asked { comment, thread: None }))
}

/// Queues the run that continues another, which must be the item's latest, in the transaction.
async fn queue_continued(
    app: &App,
    org: OrgId,
    mut transaction: Transaction,
    earlier: &Run,
    next: &Run,
    via: Option<Via>,
) -> Result<()> {
    let item = &earlier.item;
    let wanted = (keys::item(org, item), keys::run_prompt(org, earlier.id));
    let (rows, of_item) = futures::try_join!(wanted::load(app, wanted), runs::of_item(app, org, item))?;
    step(earlier, Event::Continue { latest: of_item.first() == Some(&earlier.id) }, app.now())?;
    let (Some(item_row), Some(prompt_row)) = rows else { return Err(Refusal::NotFound.into()) };
    let current = item_row.read()?;
    settle::admit(&current, app.now(), app.settings.claims.stale_after())?;
    let prompt = prompt::continued(&prompt_row.read::<String>()?);
    if earlier.is_refinement() {
        refinements::continued(app, &mut transaction, org, item, (earlier.id, next.id)).await?;
    }
    let change = ItemChange::update(org, current, item_row.version);
    queue(app, org, &mut transaction, next, &prompt, change, via);
    app.commit(transaction).await
}

fn continued(app: &App, earlier: &Run) -> Run {
    let now = app.now();
    let holder = earlier.hold().map(|hold| hold.runner.clone());
    // A continue whose harness never started left everything where it was.
    let (chosen_runner, earlier_run, session) = match earlier.started_at() {
        Some(_) => (holder, Some(earlier.id), earlier.session()),
        None => (earlier.chosen_runner.clone(), earlier.earlier_run, earlier.resume_session.as_deref()),
    };
    Run {
        id: RunId(app.uuid()),
        kind: RunKind::Continue,
        chosen_runner,
        scheduled_for: None,
        queued_at: now,
        earlier_run,
        refines: earlier.is_refinement(),
        resume_session: session.map(ToOwned::to_owned),
        fence: 0,
        held_by: BTreeSet::new(),
        state: State::Queued(Waiting { available_at: now }),
        ..earlier.clone()
    }
}

/// How soon a continue looks again for a runner that was not heard of yet.
const AGAIN: SignedDuration = SignedDuration::from_secs(5);

/// Whether this server began to serve so recently that a runner which is there may not have been heard of yet.
fn is_settling(app: &App) -> bool {
    let since = app.hearing.as_ref().map(|hearing| hearing.since(&*app.clock));
    since.is_some_and(|since| app.now().duration_since(since) < ONLINE_FOR)
}

/// Whether this runner is online and takes work.
async fn is_there(app: &App, org: OrgId, runner: Option<RunnerId>) -> Result<bool> {
    let runners = runners::candidates(app, org).await?;
    Ok(runners.iter().any(|one| Some(one.id) == runner && one.online && !one.disabled))
}

/// A session can be resumed only by the runner that has it, and only while that is there.
async fn fail_if_unresumable(app: &App, org: OrgId, run: Run) -> Result<()> {
    let holder = run.chosen_runner.as_ref().map(|chosen| chosen.id);
    // After the server was away the run waits for its runner, and says so.
    if is_settling(app) || is_there(app, org, holder).await? {
        return Ok(());
    }
    app.decide(|| async {
        let loaded = LoadedRun::load(app, org, run.id).await?;
        let event = Event::Abandon(FailureReason::SessionUnavailable);
        match RunChange::decide(app, Transaction::by_itself(app, org), org, &loaded, event).await {
            Ok(change) => change.commit(app).await.map(|_| ()),
            // Somebody took or cancelled it meanwhile.
            Err(Error::Refused(Refusal::RunState(_) | Refusal::RunEnded)) => Ok(()),
            Err(error) => Err(error),
        }
    })
    .await
}
