//! What can happen in a simulation, and how it is done with the real use cases. A refusal is as good as a success; what
//! matters is what is true afterwards.

use std::time::Duration;

use jiff::SignedDuration;
use svc_app::factory::budgets::{self, BudgetEdit};
use svc_app::factory::progress::UsedSoFar;
use svc_app::factory::refinements::{self, Confirmation, Reply, StartRefinement};
use svc_app::factory::schedules::{self, ScheduleEdit};
use svc_app::factory::{self, StartRun, TakeRequest, follow, progress, runs};
use svc_app::messages::Message;
use svc_app::tracker::comments::{self, EditComment, NewComment};
use svc_app::tracker::{claims, item_links, items};
use svc_app::{App, Caller, Result};
use svc_domain::failure::FailureReason;
use svc_domain::harness::Harness;
use svc_domain::ids::ItemKey;
use svc_domain::item_link::LinkKind;
use svc_domain::refinement::{Proposal, Submission};
use svc_domain::run::{Ending, Report};

use super::memory::Failure;
use super::stage::{Held, Scene};

/// One step: an act on a server, perhaps with a call that fails, perhaps while another act goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What happens.
    pub act: Act,
    /// On which server.
    pub server: usize,
    /// A call that fails.
    pub failure: Option<Failure>,
    /// What happens at the same moment on the other server, and at which calls which of the two goes on.
    pub meanwhile: Option<(Act, u64)>,
}

/// What somebody does; numbers name items and runners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// A person starts a run.
    Start(usize),
    /// A person starts a run for in five minutes.
    Schedule(usize),
    /// A runner takes a run.
    Take(usize),
    /// A runner repeats its last request.
    TakeAgain(usize),
    /// The harness of a runner's run starts.
    Begin(usize),
    /// A runner shows a sign of life.
    Heartbeat(usize),
    /// A runner's run ends in one of several ways.
    Finish(usize, u8),
    /// A runner gives its run back.
    GiveBack(usize),
    /// A person cancels the last run of an item.
    Cancel(usize),
    /// A person continues the last run of an item, or retries it.
    GoOn(usize, bool),
    /// A person moves an item to a state.
    Move(usize, usize),
    /// A person claims an item, or releases it.
    Claim(usize),
    /// A person has an item refined.
    Refine(usize),
    /// The agent of a runner's run hands in a refinement, with a question or without.
    HandIn(usize, bool),
    /// A person answers, asks for changes, or confirms.
    Reply(usize, u8),
    /// A person mentions the agent in a comment on an item, after the last one or in its thread.
    Mention(usize, bool),
    /// A person edits or deletes the comment that they wrote last on an item.
    TakeBack(usize, bool),
    /// An Admin lets one run be at work at once, or as many as there are.
    Budget(bool),
    /// A person fires the recurring schedule, pauses it or resumes it.
    Recur(u8),
    /// A person says that the other item blocks an item.
    Link(usize),
    /// A person takes that back.
    Unlink(usize),
    /// Workers handle what waits, each message twice or once.
    Work(bool),
    /// The jobs of every minute run.
    Jobs,
    /// Minutes pass.
    Wait(i64),
}

const STATES: [&str; 4] = ["Backlog", "In progress", "In review", "Resolved"];

/// Does it.
pub(super) async fn perform(act: &Act, app: &App, scene: &Scene) -> Result<()> {
    let person = Caller { credential: Some(&scene.person), org: &scene.org.slug };
    match act {
        Act::Start(item) => {
            factory::start(app, person, &scene.items[*item], &StartRun::default()).await.map(drop)
        }
        Act::Schedule(item) => {
            let at = app.now() + SignedDuration::from_mins(5);
            let start = StartRun { scheduled_for: Some(at), ..StartRun::default() };
            factory::start(app, person, &scene.items[*item], &start).await.map(drop)
        }
        Act::Take(runner) => {
            let request = scene.next_request(*runner);
            take(app, scene, *runner, request).await
        }
        Act::TakeAgain(runner) => take(app, scene, *runner, scene.last_request(*runner)).await,
        Act::Begin(runner) => {
            let Some(held) = scene.held(*runner) else { return Ok(()) };
            let secret = Some(&scene.runners[*runner]);
            progress::started(app, secret, held.run, held.fence, Some("s-1")).await.map(drop)
        }
        Act::Heartbeat(runner) => {
            let Some(held) = scene.held(*runner) else { return Ok(()) };
            progress::heartbeat(
                app,
                Some(&scene.runners[*runner]),
                held.run,
                held.fence,
                (&UsedSoFar::default(), Duration::ZERO),
            )
            .await
            .map(drop)
        }
        Act::Finish(runner, how) => {
            let Some(held) = scene.held(*runner) else { return Ok(()) };
            let report = Report { session: Some("s-1".to_owned()), ..Report::default() };
            let secret = Some(&scene.runners[*runner]);
            progress::finish(app, secret, held.run, held.fence, &ending(*how), &report).await
        }
        Act::GiveBack(runner) => {
            let Some(held) = scene.held(*runner) else { return Ok(()) };
            progress::give_back(app, Some(&scene.runners[*runner]), held.run, held.fence, "Busy.").await
        }
        Act::Cancel(item) => {
            let Some(run) = scene.last_run(*item) else { return Ok(()) };
            runs::cancel(app, Some(&scene.person), None, run).await.map(drop)
        }
        Act::GoOn(item, retries) => {
            let Some(run) = scene.last_run(*item) else { return Ok(()) };
            match retries {
                true => follow::retry(app, Some(&scene.person), None, run).await.map(drop),
                false => follow::continue_by_hand(app, Some(&scene.person), None, run).await.map(drop),
            }
        }
        Act::Move(item, state) => {
            let key = &scene.items[*item];
            let version = items::get(app, person, key).await?.item.revision;
            claims::transition(app, person, key, version, STATES[*state]).await.map(drop)
        }
        Act::Claim(item) => {
            let key = &scene.items[*item];
            let seen = items::get(app, person, key).await?.item;
            match seen.claim {
                Some(_) => claims::release(app, person, key).await.map(drop),
                None => claims::claim(app, person, key, seen.revision).await.map(drop),
            }
        }
        Act::Refine(item) => {
            let start = StartRefinement::default();
            refinements::start(app, person, &scene.items[*item], &start).await.map(drop)
        }
        Act::HandIn(runner, asks) => hand_in(app, scene, *runner, *asks).await,
        Act::Reply(item, how) => reply(app, scene, *item, *how).await,
        Act::Mention(item, reply) => mention(app, scene, *item, *reply).await,
        Act::TakeBack(item, delete) => take_back(app, scene, *item, *delete).await,
        Act::Budget(limited) => budget(app, person, *limited).await,
        Act::Recur(how) => recur(app, person, scene, *how).await,
        Act::Link(item) => {
            let (key, other) = pair(scene, *item);
            item_links::add(app, person, key, LinkKind::BlockedBy, other).await.map(drop)
        }
        Act::Unlink(item) => {
            let (key, other) = pair(scene, *item);
            item_links::remove(app, person, key, LinkKind::BlockedBy, other).await.map(drop)
        }
        Act::Work(twice) => work(app, if *twice { 2 } else { 1 }).await,
        Act::Jobs => svc_workers::run_jobs(app).await,
        Act::Wait(minutes) => {
            scene.clock.advance(SignedDuration::from_mins(*minutes));
            Ok(())
        }
    }
}

/// An item and the one after it.
fn pair(scene: &Scene, item: usize) -> (&ItemKey, &ItemKey) {
    (&scene.items[item], &scene.items[(item + 1) % scene.items.len()])
}

async fn take(app: &App, scene: &Scene, runner: usize, request: String) -> Result<()> {
    let request = TakeRequest { harnesses: vec![Harness::Harness1], wait: Duration::ZERO, request };
    if let Some(taken) = factory::take(app, Some(&scene.runners[runner]), &request).await? {
        let held =
            Held { run: taken.run.id, fence: taken.run.fence, item: taken.run.item, token: taken.token };
        scene.hold(runner, held);
    }
    Ok(())
}

fn ending(how: u8) -> Ending {
    let failed = |reason| Ending::Failed { reason, detail: None };
    match how {
        0 | 1 => Ending::Succeeded,
        2 => failed(FailureReason::HarnessTransient),
        3 => failed(FailureReason::WorkspaceFailed),
        _ => Ending::TimedOut,
    }
}

async fn hand_in(app: &App, scene: &Scene, runner: usize, asks: bool) -> Result<()> {
    let Some(held) = scene.held(runner) else { return Ok(()) };
    let token = svc_app::BearerCredential::new(&held.token);
    let agent = Caller { credential: Some(&token), org: &scene.org.slug };
    let proposal = Proposal {
        title: "Better".to_owned(),
        description: "Text.".to_owned(),
        priority: None,
        labels: None,
    };
    let questions = if asks { vec!["Why?".to_owned()] } else { Vec::new() };
    let submission = Submission { questions, proposal: Some(proposal) };
    refinements::submit(app, agent, &held.item, &submission).await.map(drop)
}

async fn reply(app: &App, scene: &Scene, item: usize, how: u8) -> Result<()> {
    let person = Caller { credential: Some(&scene.person), org: &scene.org.slug };
    let key = &scene.items[item];
    let seen = refinements::view(app, person, key).await?;
    let reply =
        Reply { version: seen.version, answers: vec![(1, "So.".to_owned())], note: Some("More.".to_owned()) };
    match how {
        0 => refinements::answer(app, person, key, &reply).await.map(drop),
        1 => refinements::ask_for_changes(app, person, key, &reply).await.map(drop),
        _ => {
            let confirmation = Confirmation { version: seen.version, item_version: seen.item_version };
            refinements::confirm(app, person, key, &confirmation).await.map(drop)
        }
    }
}

async fn budget(app: &App, person: Caller<'_>, limited: bool) -> Result<()> {
    let version = budgets::view(app, person).await?.version;
    let runs_at_once = Some(limited.then_some(1));
    let edit = BudgetEdit { version, runs_at_once, ..BudgetEdit::default() };
    budgets::update(app, person, &edit).await.map(drop)
}

async fn recur(app: &App, person: Caller<'_>, scene: &Scene, how: u8) -> Result<()> {
    let (project, id) = (&scene.items[0].project, scene.recurring);
    if how == 0 {
        return schedules::fire_now(app, person, project, id).await.map(drop);
    }
    let version = schedules::get(app, person, project, id).await?.schedule.version;
    let edit = ScheduleEdit { version, paused: Some(how == 1), ..ScheduleEdit::default() };
    schedules::update(app, person, project, id, &edit).await.map(drop)
}

async fn mention(app: &App, scene: &Scene, item: usize, reply: bool) -> Result<()> {
    let person = Caller { credential: Some(&scene.person), org: &scene.org.slug };
    let before = scene.last_comment(item).filter(|_| reply);
    let new = NewComment {
        body: "@Robin go on.".to_owned(),
        reply_to: before.map(|comment| comment.to_string()),
        attachments: Vec::new(),
    };
    comments::create(app, person, &scene.items[item], &new).await.map(drop)
}

async fn take_back(app: &App, scene: &Scene, item: usize, delete: bool) -> Result<()> {
    let person = Caller { credential: Some(&scene.person), org: &scene.org.slug };
    let (key, Some(id)) = (&scene.items[item], scene.last_comment(item)) else { return Ok(()) };
    if delete {
        return comments::delete(app, person, key, id).await;
    }
    let seen = comments::get(app, person, key, id).await?;
    let body = if seen.comment.body.starts_with('@') { "Never mind." } else { "@Robin do it." };
    let edit = EditComment { version: seen.version, body: body.to_owned() };
    comments::edit(app, person, key, id, &edit).await.map(drop)
}

/// Handles what is due. What fails comes again.
pub(super) async fn work(app: &App, times: usize) -> Result<()> {
    loop {
        let received = app.queue.receive(10, Duration::ZERO).await?;
        if received.is_empty() {
            return Ok(());
        }
        for message in received {
            let Ok(told) = serde_json::from_str::<Message>(&message.body) else { continue };
            for _ in 0..times {
                svc_workers::handle(app, &told).await?;
            }
            app.queue.ack(&message.receipt).await?;
        }
    }
}
