//! The whole table, and random histories of several runs of one item.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp, ToSpan};
use proptest::prelude::{Just, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};
use proptest::test_runner::TestCaseError;
use uuid::Uuid;

use super::{Effect, Event, Offer, Presenter, step};
use crate::budget::RunBudget;
use crate::failure::FailureReason;
use crate::harness::Harness;
use crate::ids::{Actor, ActorId, AgentId, PlaybookId, RunId, RunnerId, UserId};
use crate::item::{Item, ItemType};
use crate::playbook::RepositorySource;
use crate::run::{
    Delivery, Ended, Ending, Hold, Named, Report, ReportWindow, Run, RunKind, RunRepository, State, Waiting,
    Working, settle,
};
use crate::workflow::Workflow;

const LOST: SignedDuration = SignedDuration::from_mins(5);

pub(crate) fn start() -> Timestamp {
    "2026-01-01T12:00:00Z".parse().unwrap()
}

fn runner(n: u128) -> Named<RunnerId> {
    Named { id: RunnerId(Uuid::from_u128(n)), name: format!("runner {n}") }
}

fn person() -> Actor {
    Actor { id: ActorId::User(UserId(Uuid::from_u128(1))), name: "Ada".into() }
}

pub(crate) fn run(n: u128, now: Timestamp) -> Run {
    Run {
        id: RunId(Uuid::from_u128(n)),
        item: "PRJ-1".parse().unwrap(),
        kind: RunKind::Implement,
        agent: Named { id: AgentId(Uuid::from_u128(2)), name: "builder".into() },
        playbook: Named { id: PlaybookId(Uuid::from_u128(3)), name: "Implement".into() },
        chosen_runner: None,
        harness: Harness::Harness1,
        harness_is_chosen: false,
        model: None,
        requested_by: person(),
        branch: "prj-1-fix".into(),
        delivery: Delivery::BranchAndPullRequest,
        repository: RunRepository {
            name: None,
            source: RepositorySource::RunnerLocal,
            path_hint: None,
            default_branch: "main".into(),
        },
        time_limit_minutes: 60,
        success_state: Some("In review".into()),
        failure_state: Some("Backlog".into()),
        scheduled_for: None,
        queued_at: now,
        earlier_run: None,
        comment: None,
        resume_session: None,
        refines: false,
        rule: None,
        schedule: None,
        rule_chain: Vec::new(),
        follow_up: None,
        budget: RunBudget::default(),
        despite_blockers: false,
        auto_continues: 0,
        delivers: crate::playbook::Delivers::Commit,
        fence: 0,
        held_by: BTreeSet::new(),
        state: State::Queued(Waiting { available_at: now }),
    }
}

fn hold() -> Hold {
    Hold { runner: runner(7), request: "r".into(), since: start(), token_hash: "hash".into() }
}

fn held(state: State) -> Run {
    Run { fence: 3, held_by: [runner(7).id].into(), state, ..run(9, start()) }
}

/// A run whose harness works.
pub(crate) fn running() -> Run {
    held(State::Running(Working { hold: hold(), started_at: start(), session: None }))
}

fn ended(ending: Ending, started: bool, report_window: ReportWindow) -> Run {
    held(State::Ended(Box::new(Ended {
        ending,
        at: start(),
        hold: Some(hold()),
        started_at: started.then(start),
        report: Report::default(),
        report_window,
    })))
}

fn states() -> Vec<(&'static str, Run)> {
    let crashed = || Ending::Failed { reason: FailureReason::HarnessCrashed, detail: None };
    let cancelled = || Ending::Cancelled { by: Some(person()) };
    let working = Working { hold: hold(), started_at: start(), session: Some("s".into()) };
    vec![
        ("queued", run(9, start())),
        ("queued, later", Run { state: later(), scheduled_for: Some(start() + 1.hour()), ..run(9, start()) }),
        ("queued, runner chosen", Run { chosen_runner: Some(runner(8)), ..run(9, start()) }),
        ("queued, given back", held(State::Queued(Waiting { available_at: start() }))),
        ("assigned", held(State::Assigned(hold()))),
        ("running", held(State::Running(working.clone()))),
        ("running, refine", Run { kind: RunKind::Refine, ..held(State::Running(working)) }),
        ("succeeded", ended(Ending::Succeeded, true, ReportWindow::Heard)),
        ("failed", ended(crashed(), true, ReportWindow::Heard)),
        ("failed before start", ended(crashed(), false, ReportWindow::Heard)),
        ("failed, lost", ended(crashed(), true, ReportWindow::Shut)),
        ("cancelled, open", ended(cancelled(), true, ReportWindow::OpenUntil(start() + 1.hour()))),
        ("cancelled, shut", ended(cancelled(), true, ReportWindow::Shut)),
        ("timed out", ended(Ending::TimedOut, true, ReportWindow::Heard)),
    ]
}

fn later() -> State {
    State::Queued(Waiting { available_at: start() + 1.hour() })
}

fn offer(n: u128, harnesses: &[Harness], chosen_is_gone: bool) -> Event {
    Event::Take(Offer {
        budget: RunBudget::default(),
        runner: runner(n),
        harnesses: harnesses.to_vec(),
        chosen_is_gone,
        request: "q".into(),
        token_hash: "new".into(),
    })
}

fn events() -> Vec<(&'static str, Event)> {
    let by = Presenter { runner: runner(7).id, fence: 3 };
    let report = || Report { pull_request: Some("https://h/1".into()), ..Report::default() };
    let finish = |by, ending| Event::Finish { by, ending, report: report() };
    let failed = Ending::Failed { reason: FailureReason::HarnessTransient, detail: None };
    vec![
        ("take", offer(7, &[Harness::Harness1], false)),
        ("take, other harness", offer(7, &[Harness::Harness2], false)),
        ("take, chosen gone", offer(7, &[Harness::Harness1], true)),
        ("take by the chosen", offer(8, &[], false)),
        ("start", Event::Start { by, session: None }),
        ("heartbeat", Event::Heartbeat(by)),
        ("heartbeat, old fence", Event::Heartbeat(Presenter { fence: 2, ..by })),
        ("heartbeat, stranger", Event::Heartbeat(Presenter { runner: runner(6).id, ..by })),
        ("log", Event::Log(by)),
        ("give back", Event::GiveBack(by)),
        ("finish succeeded", finish(by, Ending::Succeeded)),
        ("finish failed", finish(by, failed)),
        ("finish timed out", finish(by, Ending::TimedOut)),
        ("finish cancelled", finish(by, Ending::Cancelled { by: None })),
        ("finish, old fence", finish(Presenter { fence: 2, ..by }, Ending::Succeeded)),
        ("cancel", Event::Cancel { by: person(), window_open_for: LOST }),
        (
            "over budget",
            Event::OverBudget { detail: "It has used up its minutes.".into(), window_open_for: LOST },
        ),
        ("silence, short", Event::Silence { last_heard: start(), lost_after: LOST }),
        ("silence, long", Event::Silence { last_heard: start() - 5.minutes(), lost_after: LOST }),
        ("continue", Event::Continue { latest: true }),
        ("continue, not latest", Event::Continue { latest: false }),
        ("retry", Event::Retry),
        ("abandon", Event::Abandon(FailureReason::SessionUnavailable)),
    ]
}

#[test]
fn every_state_times_every_event() {
    let mut table = String::new();
    for (name, run) in states() {
        table += &format!("## {name}\n");
        for (event_name, event) in events() {
            let result = match step(&run, event, start()) {
                Ok((next, effects)) => {
                    let effects: Vec<String> = effects.iter().map(|e| format!("{e:?}")).collect();
                    let report_window = next
                        .ended()
                        .map_or(String::new(), |e| format!(" ({})", report_window(e.report_window)));
                    format!("{}{report_window} #{}  {}", next.status(), next.fence, effects.join(", "))
                }
                Err(refusal) => format!("refused: {refusal}"),
            };
            table += &format!("{event_name:21} {result}\n");
        }
    }
    insta::assert_snapshot!(table);
}

fn report_window(report_window: ReportWindow) -> &'static str {
    match report_window {
        ReportWindow::Shut => "shut",
        ReportWindow::Heard => "heard",
        ReportWindow::OpenUntil(_) => "open",
    }
}

/// An item, its runs, and the rows that a store would keep beside them.
struct World {
    now: Timestamp,
    item: Item,
    runs: BTreeMap<RunId, Run>,
    queue: BTreeSet<(Timestamp, RunId)>,
    live: BTreeMap<RunId, Timestamp>,
    tokens: BTreeSet<String>,
    comments: BTreeMap<RunId, u32>,
    made: u128,
}

#[derive(Clone, Debug)]
enum Deed {
    Dispatch { delay: i64 },
    Happens { run: usize, event: usize, fence_back: u64 },
    Wait { seconds: i64 },
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        prop_oneof![Just(0i64), Just(600)].prop_map(|delay| Deed::Dispatch { delay }),
        (any::<usize>(), any::<usize>(), 0u64..3).prop_map(|(run, event, fence_back)| Deed::Happens {
            run,
            event,
            fence_back
        }),
        (any::<usize>(), any::<usize>()).prop_map(|(run, event)| Deed::Happens { run, event, fence_back: 0 }),
        (1i64..400).prop_map(|seconds| Deed::Wait { seconds }),
    ];
    proptest::collection::vec(deed, 1..80)
}

impl World {
    fn new() -> Self {
        let key = "PRJ-1".parse().unwrap();
        let item = Item::new(key, ItemType::Task, "Fix".into(), "In progress".into(), person(), start());
        Self {
            now: start(),
            item,
            runs: BTreeMap::new(),
            queue: BTreeSet::new(),
            live: BTreeMap::new(),
            tokens: BTreeSet::new(),
            comments: BTreeMap::new(),
            made: 100,
        }
    }

    fn dispatch(&mut self, delay: i64) {
        if settle::admit(&self.item, self.now, LOST).is_err() {
            return;
        }
        self.made += 1;
        let available_at = self.now + delay.seconds();
        let run = Run {
            scheduled_for: (delay > 0).then_some(available_at),
            state: State::Queued(Waiting { available_at }),
            ..run(self.made, self.now)
        };
        settle::queue(&mut self.item, &run, None, self.now);
        self.queue.insert((available_at, run.id));
        self.runs.insert(run.id, run);
    }

    fn happens(&mut self, pick: usize, event: usize, back: u64) -> Result<(), TestCaseError> {
        let Some(before) = self.runs.values().nth(pick % self.runs.len().max(1)).cloned() else {
            return Ok(());
        };
        let event = self.event(&before, event, before.fence.saturating_sub(back));
        let Ok((after, effects)) = step(&before, event, self.now) else { return Ok(()) };
        let mut item = self.item.clone();
        let workflow = Workflow::default();
        let Ok((_, words)) = settle::apply(&mut item, &after, &effects, &workflow, self.now, LOST) else {
            return Ok(());
        };
        self.item = item;
        *self.comments.entry(after.id).or_default() += u32::from(words.is_some());
        prop_assert!(after.fence >= before.fence, "the fence grows");
        if before.status().is_terminal() {
            prop_assert_eq!(before.status(), after.status(), "terminal is final");
        }
        self.perform(&after, effects);
        self.runs.insert(after.id, after);
        Ok(())
    }

    fn event(&self, run: &Run, n: usize, fence: u64) -> Event {
        let by = Presenter { runner: run.hold().map_or(runner(7).id, |hold| hold.runner.id), fence };
        let last_heard = self.live.get(&run.id).copied().unwrap_or(self.now);
        let failed = Ending::Failed { reason: FailureReason::HarnessFailed, detail: None };
        match n % 10 {
            0 | 1 => Event::Take(Offer {
                budget: RunBudget::default(),
                runner: runner(7 + (n as u128 / 10) % 2),
                harnesses: vec![Harness::Harness1],
                chosen_is_gone: false,
                request: "q".into(),
                token_hash: format!("{} {}", run.id, run.fence + 1),
            }),
            2 => Event::Start { by, session: None },
            3 => Event::Heartbeat(by),
            4 => Event::GiveBack(by),
            5 => Event::Finish { by, ending: Ending::Succeeded, report: Report::default() },
            6 => Event::Finish { by, ending: failed, report: Report::default() },
            7 => Event::Cancel { by: person(), window_open_for: LOST },
            8 => Event::Log(by),
            _ => Event::Silence { last_heard, lost_after: LOST },
        }
    }

    fn perform(&mut self, run: &Run, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::EnterQueue { available_at } => assert!(self.queue.insert((available_at, run.id))),
                Effect::LeaveQueue { available_at } => assert!(self.queue.remove(&(available_at, run.id))),
                Effect::Hold => assert!(self.live.insert(run.id, self.now).is_none()),
                Effect::LetGo => assert!(self.live.remove(&run.id).is_some()),
                Effect::KeepAlive => assert!(self.live.insert(run.id, self.now).is_some()),
                Effect::IssueToken { hash } => assert!(self.tokens.insert(hash)),
                Effect::RevokeToken { hash } => assert!(self.tokens.remove(&hash)),
                Effect::Watch
                | Effect::ClaimItem
                | Effect::UnclaimItem
                | Effect::FreeItem
                | Effect::LinkPullRequest { .. }
                | Effect::PostOutcome
                | Effect::MoveItem { .. }
                | Effect::ContinueLater { .. }
                | Effect::QueueNext { .. } => {}
            }
        }
    }

    fn check(&self) -> Result<(), TestCaseError> {
        let live: Vec<&Run> = self.runs.values().filter(|run| !run.status().is_terminal()).collect();
        prop_assert!(live.len() <= 1, "at most one live run");
        prop_assert_eq!(self.item.live_run, live.first().map(|run| run.id));
        for run in self.runs.values() {
            let queued = matches!(run.state, State::Queued(_));
            let held = matches!(run.state, State::Assigned(_) | State::Running(_));
            prop_assert_eq!(self.queue.iter().any(|(_, id)| *id == run.id), queued);
            prop_assert_eq!(self.live.contains_key(&run.id), held);
            let comments = self.comments.get(&run.id).copied().unwrap_or(0);
            prop_assert_eq!(comments, u32::from(run.status().is_terminal()), "one outcome comment");
            if held {
                prop_assert!(self.item.claim.is_some(), "who works holds the claim");
            }
        }
        prop_assert_eq!(self.tokens.len(), self.live.len(), "a token for each run that is held");
        if live.is_empty() {
            prop_assert!(self.item.claim.is_none(), "no run, no claim");
        }
        Ok(())
    }
}

proptest! {
    #[test]
    fn whatever_happens_the_invariants_hold(deeds in deeds()) {
        let mut world = World::new();
        for deed in deeds {
            match deed {
                Deed::Dispatch { delay } => world.dispatch(delay),
                Deed::Happens { run, event, fence_back } => world.happens(run, event, fence_back)?,
                Deed::Wait { seconds } => world.now += seconds.seconds(),
            }
            world.check()?;
        }
    }
}

#[test]
fn a_queued_run_says_what_it_waits_for() {
    use crate::run::waiting::{Candidate, Obstacle, begins_on, reason};
    let key = |text: &str| text.parse::<crate::ids::ItemKey>().unwrap();
    let runner = |online, disabled, harness| Candidate {
        id: runner(8).id,
        name: "box".into(),
        disabled,
        online,
        harnesses: vec![harness],
        has_room: true,
        disk_full: false,
    };
    let (any, chosen) = (run(9, start()), Run { chosen_runner: Some(self::runner(8)), ..run(9, start()) });
    let says = |run: &Run, runners: &[Candidate]| reason(run, None, runners, start(), true).unwrap();
    let one = Harness::Harness1;
    assert_eq!(reason(&held(State::Assigned(hold())), None, &[], start(), true), None);
    for (obstacle, why) in [
        (Obstacle::ReadOnlyOrganization, "The organization is read-only."),
        (Obstacle::ArchivedProject, "The project is archived."),
        (Obstacle::DisabledAgent, "is disabled."),
        (Obstacle::DeletedAgent(Timestamp::MAX), "was deleted. Restore it within its 30 days"),
        (Obstacle::DeletedAgent(start()), "was deleted and can no longer be restored. Cancel the run"),
        (Obstacle::Blocked(vec![]), "PRJ-1 is blocked by work that you cannot see."),
        (Obstacle::Blocked(vec![key("WEB-2"), key("WEB-3")]), "PRJ-1 is blocked by WEB-2 and WEB-3."),
    ] {
        let told =
            reason(&any, Some(&obstacle), &[runner(true, false, Harness::Harness1)], start(), true).unwrap();
        assert!(told.contains(why), "{told}");
    }
    assert!(says(&Run { state: later(), ..any.clone() }, &[]).contains("2026-01-01T13:00:00Z"));
    assert!(says(&any, &[]).starts_with("There is no runner"));
    assert!(says(&any, &[runner(true, true, one)]).starts_with("There is no runner"));
    assert!(says(&any, &[runner(false, false, one)]).starts_with("No runner is online"));
    assert!(says(&any, &[runner(true, false, Harness::Harness2)]).contains("has Claude Code"));
    let busy = Candidate { has_room: false, ..runner(true, false, one) };
    assert!(says(&any, std::slice::from_ref(&busy)).contains("is busy"));
    // It was "busy" for the moment until an idle runner took it.
    for run in [&any, &chosen] {
        assert_eq!(reason(run, None, &[runner(true, false, one)], start(), true), None);
    }
    assert!(says(&chosen, &[runner(false, false, one)]).contains("box is offline"));
    assert!(says(&chosen, std::slice::from_ref(&busy)).contains("box is busy"));
    // They were "busy with another run".
    let full = Candidate { disk_full: true, ..runner(true, false, one) };
    assert!(
        says(&chosen, std::slice::from_ref(&full)).starts_with("The disk of the chosen runner box is full")
    );
    assert!(says(&any, std::slice::from_ref(&full)).starts_with("The disk of every online runner"));
    assert!(says(&any, &[full, busy]).contains("is busy"));
    let others = |run: &Run, obstacle, runner| reason(run, obstacle, &[runner], start(), false).unwrap();
    for chosen in [&any, &chosen] {
        for (online, on) in [(true, one), (true, Harness::Harness2), (false, one)] {
            let told = others(chosen, None, Candidate { has_room: false, ..runner(online, false, on) });
            assert!(!told.contains("box"), "others learn no names of machines: {told}");
        }
    }
    let told = others(&any, Some(&Obstacle::RequesterMayNot), runner(true, false, one));
    assert!(!told.contains(&any.requested_by.name), "{told}");
    let begins = |run: &Run, runner: Candidate| begins_on(run, None, &[runner], start()).map(|on| on.name);
    let ready = runner(true, false, one);
    assert_eq!(begins(&any, ready.clone()), Ok("box".to_owned()));
    assert_eq!(begins(&chosen, Candidate { harnesses: vec![], ..ready.clone() }), Ok("box".to_owned()));
    assert!(begins_on(&any, Some(&Obstacle::DisabledAgent), std::slice::from_ref(&ready), start()).is_err());
    for (run, waits) in [
        (any.clone(), Candidate { disk_full: true, ..ready.clone() }),
        (any.clone(), Candidate { has_room: false, ..ready.clone() }),
        (any.clone(), Candidate { disabled: true, ..ready.clone() }),
        (any.clone(), Candidate { harnesses: vec![], ..ready.clone() }),
        (any.clone(), Candidate { online: false, ..ready.clone() }),
        (Run { state: later(), ..any.clone() }, ready),
    ] {
        assert_eq!(begins(&run, waits.clone()), Err(says(&run, &[waits])));
    }
}
