//! The run machine (specification section 3.1).
//!
//! | state     | event                      | condition                          | next      | effects                       |
//! |-----------|----------------------------|------------------------------------|-----------|-------------------------------|
//! | queued    | take                       | time has come; harness advertised, | assigned  | leave queue, hold, issue      |
//! |           |                            | or the chosen runner, or the       |           | token, claim item, watch      |
//! |           |                            | chosen one is gone                 |           |                               |
//! | queued    | cancel                     |                                    | cancelled | leave queue, end              |
//! | queued    | abandon                    | its session cannot be resumed      | failed    | leave queue, end              |
//! | assigned  | start                      | fence                              | running   |                               |
//! | assigned  | give back                  | fence                              | queued    | let go, revoke token, enter   |
//! |           |                            |                                    |           | queue, unclaim unless         |
//! |           |                            |                                    |           | scheduled                     |
//! | assigned, | finish: succeeded, failed, | fence                              | the same  | let go, end                   |
//! | running   | timed out or cancelled     |                                    |           |                               |
//! | assigned, | cancel                     |                                    | cancelled | let go, end; the runner may   |
//! | running   |                            |                                    |           | still deliver log and report  |
//! | running   | over budget                |                                    | failed    | let go, end:                  |
//! |           |                            |                                    |           | `budget-exceeded`; the runner |
//! |           |                            |                                    |           | may still deliver as above    |
//! | assigned, | silence                    | as long as the limit               | failed    | let go, end: `runner-lost`    |
//! | running   |                            |                                    |           |                               |
//! | running   | start                      | fence                              | unchanged | (repeated: harmless)          |
//! | running   | give back                  |                                    | refused   | the harness has started       |
//! | live      | heartbeat, log             | fence                              | unchanged | keep alive                    |
//! | cancelled | start, heartbeat, log,     | fence, for a while after a cancel  | unchanged | the answer says: stop         |
//! |           | give back, finish          |                                    |           | finish adds its report        |
//! | ended     | finish                     | the fence that finished            | unchanged | (repeated: harmless)          |
//! | ended     | cancel                     |                                    | refused   | the run has ended             |
//! | failed,   | continue                   | latest run of the item; its        | unchanged | queue a run on the same       |
//! | timedOut  |                            | harness had started                |           | runner, resuming the session  |
//! | failed    | retry                      |                                    | unchanged | queue a run, fresh checkout   |
//!
//! *End* is the terminal handling of section 3.2: revoke the token, link the pull request, leave one outcome
//! comment, release the claim and free the item, try the success or failure state, and for some failures
//! continue later. A refine run never moves the item. A cancelled run does not move it either: nothing
//! was done or failed, and the person who stopped it decides.
//!
//! A finish from *assigned* other than a failure means that the report of the start was lost: it counts.
//!
//! **Fence.** Every take raises the run's number, and a runner presents the number it was given. What a
//! runner says with another number, or after its run ended, is refused, so that a runner which comes back
//! from the dead changes nothing. A runner that never held the run is told that there is none.

mod effect;
mod event;

use jiff::{SignedDuration, Timestamp};

pub use effect::Effect;
pub use event::{Event, Offer, Presenter};

use super::{Ended, Ending, Hold, Report, ReportWindow, Run, RunKind, State, UsedSoFar, Waiting, Working};
use crate::failure::FailureReason;
use crate::refusal::Refusal;

/// The run after an event, and what that demands.
///
/// # Errors
/// [`Refusal::NotFound`] for a runner that never held the run, [`Refusal::AssignmentEnded`] for one that no
/// longer does, [`Refusal::RunEnded`] and [`Refusal::RunState`] where the state does not permit it.
pub fn step(run: &Run, event: Event, now: Timestamp) -> Result<(Run, Vec<Effect>), Refusal> {
    match &run.state {
        State::Queued(waiting) => queued(run, waiting, event, now),
        State::Assigned(hold) => held(run, hold, None, event, now),
        State::Running(working) => held(run, &working.hold, Some(working), event, now),
        State::Ended(ended) => over(run, ended, event, now),
    }
}

fn queued(run: &Run, waiting: &Waiting, event: Event, now: Timestamp) -> Result<(Run, Vec<Effect>), Refusal> {
    let leave = Effect::LeaveQueue { available_at: waiting.available_at };
    match event {
        Event::Take(offer) => {
            may_take(run, waiting, &offer, now)?;
            let effects = vec![
                leave,
                Effect::Hold,
                Effect::IssueToken { hash: offer.token_hash.clone() },
                Effect::ClaimItem,
                Effect::Watch,
            ];
            Ok((taken(run, offer, now), effects))
        }
        Event::Cancel { by, window_open_for: _ } => {
            let ending = Ending::Cancelled { by: Some(by) };
            Ok(end(run, ending, Report::default(), ReportWindow::Shut, vec![leave], now))
        }
        Event::Abandon(reason) => {
            let ending = Ending::Failed { reason, detail: None };
            Ok(end(run, ending, Report::default(), ReportWindow::Shut, vec![leave], now))
        }
        Event::Start { by, .. }
        | Event::Heartbeat(by)
        | Event::Log(by)
        | Event::GiveBack(by)
        | Event::Finish { by, .. } => Err(not_holder(run, by)),
        Event::Silence { .. } | Event::OverBudget { .. } => Ok((run.clone(), Vec::new())),
        Event::Continue { .. } | Event::Retry => Err(Refusal::RunState("the run has not ended")),
    }
}

fn held(
    run: &Run,
    hold: &Hold,
    working: Option<&Working>,
    event: Event,
    now: Timestamp,
) -> Result<(Run, Vec<Effect>), Refusal> {
    let let_go = vec![Effect::LetGo];
    let same = |effects| Ok((run.clone(), effects));
    match event {
        Event::Start { by, session } => {
            present(run, hold, by)?;
            match working {
                Some(_) => same(vec![Effect::KeepAlive]),
                None => {
                    let working = Working { hold: hold.clone(), started_at: now, session };
                    Ok((with(run, State::Running(working)), vec![Effect::KeepAlive]))
                }
            }
        }
        Event::Heartbeat(by) => present(run, hold, by).and_then(|()| same(vec![Effect::KeepAlive])),
        Event::Log(by) => present(run, hold, by).and_then(|()| same(Vec::new())),
        Event::GiveBack(by) => {
            present(run, hold, by)?;
            if working.is_some() {
                return Err(Refusal::RunState("its harness has started; finish it instead"));
            }
            Ok(given_back(run, hold, now))
        }
        Event::Finish { by, ending, report } => {
            present(run, hold, by)?;
            Ok(end(run, ending, report, ReportWindow::Heard, let_go, now))
        }
        Event::Cancel { by, window_open_for } => {
            let window = open_for(window_open_for, now);
            Ok(end(run, Ending::Cancelled { by: Some(by) }, Report::default(), window, let_go, now))
        }
        Event::OverBudget { detail, window_open_for } if working.is_some() => {
            let ending = Ending::Failed { reason: FailureReason::BudgetExceeded, detail: Some(detail) };
            Ok(end(run, ending, Report::default(), open_for(window_open_for, now), let_go, now))
        }
        Event::OverBudget { .. } => same(Vec::new()),
        Event::Silence { last_heard, lost_after } => {
            if now.duration_since(last_heard) < lost_after {
                return same(vec![Effect::Watch]);
            }
            let ending = Ending::Failed { reason: FailureReason::RunnerLost, detail: None };
            Ok(end(run, ending, Report::default(), ReportWindow::Shut, let_go, now))
        }
        Event::Take(_) | Event::Abandon(_) => Err(Refusal::RunState("a runner has taken it")),
        Event::Continue { .. } | Event::Retry => Err(Refusal::RunState("the run has not ended")),
    }
}

fn over(run: &Run, ended: &Ended, event: Event, now: Timestamp) -> Result<(Run, Vec<Effect>), Refusal> {
    let same = || Ok((run.clone(), Vec::new()));
    match event {
        Event::Start { by, .. } | Event::Heartbeat(by) | Event::Log(by) => {
            if is_open(run, ended, by, now) {
                same()
            } else {
                Err(not_holder(run, by))
            }
        }
        Event::GiveBack(by) if is_open(run, ended, by, now) => Ok((
            with(run, State::Ended(Box::new(Ended { report_window: ReportWindow::Shut, ..ended.clone() }))),
            Vec::new(),
        )),
        Event::Finish { by, ending: _, report } if is_open(run, ended, by, now) => {
            let link = report.pull_request.clone().map(|url| Effect::LinkPullRequest { url });
            let next = Ended {
                report_window: ReportWindow::Heard,
                report: keep_known(run, report),
                ..ended.clone()
            };
            Ok((with(run, State::Ended(Box::new(next))), link.into_iter().collect()))
        }
        Event::Finish { by, .. }
            if ended.report_window == ReportWindow::Heard && is_last_holder(run, ended, by) =>
        {
            same()
        }
        Event::GiveBack(by) | Event::Finish { by, .. } => Err(not_holder(run, by)),
        Event::Silence { .. } | Event::OverBudget { .. } => same(),
        Event::Take(_) | Event::Cancel { .. } | Event::Abandon(_) => Err(Refusal::RunEnded),
        Event::Continue { latest } => may_continue(run, ended, latest)
            .map(|()| (run.clone(), vec![Effect::QueueNext { kind: RunKind::Continue }])),
        Event::Retry if run.is_refinement() => {
            Err(Refusal::RunState("a refinement cannot be retried; refine the ticket again"))
        }
        Event::Retry => match ended.ending {
            Ending::Failed { .. } => Ok((run.clone(), vec![Effect::QueueNext { kind: RunKind::Retry }])),
            Ending::Succeeded | Ending::Cancelled { .. } | Ending::TimedOut => {
                Err(Refusal::RunState("only a failed run can be retried"))
            }
        },
    }
}

/// Until when a runner may still report a run that ended without it.
fn open_for(window: SignedDuration, now: Timestamp) -> ReportWindow {
    ReportWindow::OpenUntil(now.saturating_add(window).unwrap_or(Timestamp::MAX))
}

fn may_take(run: &Run, waiting: &Waiting, offer: &Offer, now: Timestamp) -> Result<(), Refusal> {
    if now < waiting.available_at {
        return Err(Refusal::RunState("its start time has not come yet"));
    }
    match &run.chosen_runner {
        Some(chosen) if chosen.id == offer.runner.id => Ok(()),
        Some(_) if !offer.chosen_is_gone => Err(Refusal::RunState("another runner was chosen for it")),
        Some(_) | None if offer.harnesses.contains(&run.harness) => Ok(()),
        Some(_) | None => Err(Refusal::RunState("the runner does not have its harness")),
    }
}

fn taken(run: &Run, offer: Offer, now: Timestamp) -> Run {
    let Offer { runner, request, token_hash, harnesses: _, chosen_is_gone: _, budget } = offer;
    let mut next = run.clone();
    next.fence += 1;
    next.budget = budget;
    next.held_by.insert(runner.id);
    next.state = State::Assigned(Hold { runner, request, since: now, token_hash });
    next
}

fn given_back(run: &Run, hold: &Hold, now: Timestamp) -> (Run, Vec<Effect>) {
    let mut effects = vec![
        Effect::LetGo,
        Effect::RevokeToken { hash: hold.token_hash.clone() },
        Effect::EnterQueue { available_at: now },
    ];
    if run.scheduled_for.is_none() {
        effects.push(Effect::UnclaimItem);
    }
    (with(run, State::Queued(Waiting { available_at: now })), effects)
}

/// Terminal handling (specification section 3.2).
fn end(
    run: &Run,
    ending: Ending,
    report: Report,
    report_window: ReportWindow,
    mut effects: Vec<Effect>,
    now: Timestamp,
) -> (Run, Vec<Effect>) {
    let report = keep_known(run, report);
    if let Some(hold) = run.hold() {
        effects.push(Effect::RevokeToken { hash: hold.token_hash.clone() });
    }
    if let Some(url) = report.pull_request.clone() {
        effects.push(Effect::LinkPullRequest { url });
    }
    effects.extend([Effect::PostOutcome, Effect::FreeItem]);
    if let Some(to) = destination(run, &ending) {
        effects.push(Effect::MoveItem { to });
    }
    if let Ending::Failed { reason, .. } = ending
        && run.started_at().is_some()
        && let Some(after) = reason.continues_after(run.auto_continues)
    {
        effects.push(Effect::ContinueLater { after });
    }
    let ended = Ended {
        ending,
        at: now,
        hold: run.hold().cloned(),
        started_at: run.started_at(),
        report,
        report_window,
    };
    (with(run, State::Ended(Box::new(ended))), effects)
}

/// The state to move the item to.
fn destination(run: &Run, ending: &Ending) -> Option<String> {
    if run.is_refinement() {
        return None;
    }
    match ending {
        Ending::Succeeded => run.success_state.clone(),
        Ending::Failed { .. } | Ending::TimedOut => run.failure_state.clone(),
        Ending::Cancelled { .. } => None,
    }
}

fn may_continue(run: &Run, ended: &Ended, latest: bool) -> Result<(), Refusal> {
    match ended.ending {
        Ending::Failed { .. } | Ending::TimedOut => {}
        Ending::Succeeded | Ending::Cancelled { .. } => {
            return Err(Refusal::RunState("only a failed or timed out run can be continued"));
        }
    }
    // A continue that never started may be asked for again: what it was to go on from is where it was.
    if ended.started_at.is_none() && run.kind != RunKind::Continue {
        return Err(Refusal::RunState("its harness never started; retry it instead"));
    }
    if !latest {
        return Err(Refusal::RunState("a later run of the item exists"));
    }
    Ok(())
}

/// A session that the start told of is not lost when the end tells of none, nor what was used when a later word of the
/// end tells of less.
fn keep_known(run: &Run, report: Report) -> Report {
    let session = report.session.clone().or_else(|| run.session().map(ToOwned::to_owned));
    let before = run.ended().map(|ended| &ended.report);
    let said = |report: &Report| UsedSoFar { tokens: report.tokens, cost: report.cost };
    let UsedSoFar { tokens, cost } = said(&report).at_least(before.map(said).unwrap_or_default());
    Report { session, tokens, cost, ..report }
}

fn present(run: &Run, hold: &Hold, by: Presenter) -> Result<(), Refusal> {
    if hold.runner.id == by.runner && run.fence == by.fence { Ok(()) } else { Err(not_holder(run, by)) }
}

fn is_last_holder(run: &Run, ended: &Ended, by: Presenter) -> bool {
    ended.hold.as_ref().is_some_and(|hold| hold.runner.id == by.runner && run.fence == by.fence)
}

fn is_open(run: &Run, ended: &Ended, by: Presenter, now: Timestamp) -> bool {
    match ended.report_window {
        ReportWindow::OpenUntil(until) => now <= until && is_last_holder(run, ended, by),
        ReportWindow::Shut | ReportWindow::Heard => false,
    }
}

fn not_holder(run: &Run, by: Presenter) -> Refusal {
    if run.held_by.contains(&by.runner) { Refusal::AssignmentEnded } else { Refusal::NotFound }
}

fn with(run: &Run, state: State) -> Run {
    Run { state, ..run.clone() }
}

#[cfg(test)]
pub(crate) mod tests;
