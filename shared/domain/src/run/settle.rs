//! What a run does to its item: takes it, claims it, lets it go, and what it leaves there when it is over.
//!
//! Pure: the caller commits item, events and comment together with the run.

use jiff::{SignedDuration, Timestamp};

use super::machine::Effect;
use super::waiting::Obstacle;
use super::{LastRun, Run, outcome};
use crate::claim::{self, Claim};
use crate::event::{Event, ItemEvent, RunEvent, Via};
use crate::ids::Actor;
use crate::item::Item;
use crate::refusal::Refusal;
use crate::workflow::{StateGroup, Workflow};

/// Whether a run of the item may be queued.
///
/// # Errors
/// [`Refusal::LiveRunExists`]; [`Refusal::ItemClaimed`] while somebody works on it.
pub fn admit(item: &Item, now: Timestamp, stale_after: SignedDuration) -> Result<(), Refusal> {
    if let Some(run) = item.live_run {
        return Err(Refusal::LiveRunExists { run });
    }
    match &item.claim {
        Some(claim) if !claim.is_stale(now, stale_after) => {
            Err(Refusal::ItemClaimed { holder: claim.holder.name.clone() })
        }
        Some(_) | None => Ok(()),
    }
}

/// The item becomes the run's; a scheduled run claims it at once. Answers what happened, and who did it.
pub fn queue(item: &mut Item, run: &Run, via: Option<Via>, now: Timestamp) -> Vec<(Actor, Event)> {
    item.live_run = Some(run.id);
    let mut events = vec![(run.requested_by.clone(), RunEvent::Queued(item.key.clone(), run.id, via).into())];
    if run.scheduled_for.is_some() {
        item.claim = Some(Claim::begin(run.actor(), now));
        events.push((run.actor(), claimed(item, run).into()));
    }
    events
}

fn claimed(item: &Item, run: &Run) -> ItemEvent {
    ItemEvent::Claimed { item: item.key.clone(), from: None, run: Some(run.id) }
}

/// What a step of the run does to its item, told as done by the run's agent, and the outcome comment if it leaves
/// one.
///
/// # Errors
/// [`Refusal::ItemClaimed`] when it would claim what somebody else works on; [`Refusal::RunState`] when it would begin
/// while an item is open that blocks this one.
pub fn apply(
    item: &mut Item,
    run: &Run,
    effects: &[Effect],
    workflow: &Workflow,
    now: Timestamp,
    stale_after: SignedDuration,
) -> Result<(Vec<Event>, Option<String>), Refusal> {
    let mut events = Vec::new();
    let mut words = None;
    for effect in effects {
        match effect {
            Effect::ClaimItem => {
                if item.has_open_blocker && run.waits_for_blockers() {
                    return Err(Refusal::RunState(Obstacle::Blocked(Vec::new()).why()));
                }
                events.extend(claim(item, run, now, stale_after)?.map(Event::Item));
                events.extend(begin(item, run, workflow, now).map(Event::Item));
            }
            Effect::KeepAlive => {
                if let Some(claim) = item.claim.as_mut().filter(|claim| claim.holder.id == run.actor().id) {
                    claim.heartbeat_at = now;
                }
            }
            Effect::UnclaimItem => events.extend(unclaim(item, run).map(Event::Item)),
            Effect::FreeItem => {
                events.extend(unclaim(item, run).map(Event::Item));
                if item.live_run == Some(run.id) {
                    item.live_run = None;
                }
                item.last_run = LastRun::of(run).map(Box::new).or(item.last_run.take());
                events.push(RunEvent::Ended(item.key.clone(), run.id, run.status()).into());
            }
            Effect::LinkPullRequest { url } => {
                if let Some(last) = item.last_run.as_mut().filter(|last| last.id == run.id) {
                    last.pull_request = Some(url.clone());
                }
                if !item.links.contains(url) {
                    item.links.push(url.clone());
                    let (item, url) = (item.key.clone(), url.clone());
                    events.push(ItemEvent::PullRequestLinked { item, url, run: Some(run.id) }.into());
                }
            }
            Effect::PostOutcome => words = run.ended().map(|ended| outcome::comment(run, ended)),
            Effect::MoveItem { to } => {
                events.extend(transition(item, run, to, workflow, now).map(Event::Item))
            }
            Effect::EnterQueue { .. }
            | Effect::LeaveQueue { .. }
            | Effect::Hold
            | Effect::LetGo
            | Effect::Watch
            | Effect::IssueToken { .. }
            | Effect::RevokeToken { .. }
            | Effect::ContinueLater { .. }
            | Effect::QueueNext { .. } => {}
        }
    }
    Ok((events, words))
}

/// Whether an effect concerns the item.
pub const fn touches_item(effect: &Effect) -> bool {
    match effect {
        Effect::ClaimItem
        | Effect::KeepAlive
        | Effect::UnclaimItem
        | Effect::FreeItem
        | Effect::LinkPullRequest { .. }
        | Effect::PostOutcome
        | Effect::MoveItem { .. } => true,
        Effect::EnterQueue { .. }
        | Effect::LeaveQueue { .. }
        | Effect::Hold
        | Effect::LetGo
        | Effect::Watch
        | Effect::IssueToken { .. }
        | Effect::RevokeToken { .. }
        | Effect::ContinueLater { .. }
        | Effect::QueueNext { .. } => false,
    }
}

fn claim(
    item: &mut Item,
    run: &Run,
    now: Timestamp,
    stale_after: SignedDuration,
) -> Result<Option<ItemEvent>, Refusal> {
    let actor = run.actor();
    // A scheduled run, and one that was given back, has claimed the item before: that claim is its own.
    let event = match &item.claim {
        Some(claim) if claim.holder.id == actor.id => claim::Event::Heartbeat,
        Some(_) | None => claim::Event::Claim,
    };
    item.claim = claim::step(item.claim.as_ref(), event, &actor, now, stale_after)?;
    Ok((event == claim::Event::Claim).then(|| claimed(item, run)))
}

/// Work that begins shows: an item of the backlog goes to the workflow's first active state, if there is
/// such a move. From there the playbook's success and failure states are usually a move away, as they would
/// be for a person. A refine run never moves the item.
fn begin(item: &mut Item, run: &Run, workflow: &Workflow, now: Timestamp) -> Option<ItemEvent> {
    if run.is_refinement() || workflow.group_of(&item.state) != Some(StateGroup::Backlog) {
        return None;
    }
    let to = workflow.reachable(&item.state).into_iter().find(|state| state.group == StateGroup::Active)?;
    let to = to.name.clone();
    transition(item, run, &to, workflow, now)
}

fn unclaim(item: &mut Item, run: &Run) -> Option<ItemEvent> {
    let actor = run.actor();
    item.claim.take_if(|claim| claim.holder.id == actor.id)?;
    Some(ItemEvent::Released { item: item.key.clone(), from: None, run: Some(run.id) })
}

fn transition(
    item: &mut Item,
    run: &Run,
    to: &str,
    workflow: &Workflow,
    now: Timestamp,
) -> Option<ItemEvent> {
    let (key, from) = (item.key.clone(), item.state.clone());
    match workflow.transition(&from, to) {
        Ok(state) if state.name == from => None,
        Ok(state) => {
            item.enter(&state.name, state.group, now);
            Some(ItemEvent::Moved { item: key, from, to: state.name.clone(), run: Some(run.id) })
        }
        Err(_) => Some(ItemEvent::MoveSkipped { item: key, from, to: to.to_owned(), run: run.id }),
    }
}

#[cfg(test)]
mod tests {
    use super::apply;
    use crate::event::{Event, ItemEvent};
    use crate::item::Item;
    use crate::run::machine::Effect;
    use crate::run::machine::tests::{run, start};
    use crate::run::{Run, RunKind};
    use crate::workflow::Workflow;
    use jiff::SignedDuration;
    use serde_json::json;

    fn item(state: &str) -> Item {
        let ada = json!({"id": {"user": "00000000-0000-0000-0000-000000000001"}, "name": "Ada"});
        serde_json::from_value(json!({
            "key": "PRJ-1", "itemType": "bug", "title": "Fix it", "body": "", "state": state,
            "priority": "medium", "labels": [], "blocked": false, "links": [], "createdBy": ada,
            "createdAt": "2026-01-01T00:00:00Z", "updatedAt": "2026-01-01T00:00:00Z", "feedSk": "", "revision": 1,
        }))
        .unwrap()
    }

    #[test]
    fn no_run_begins_on_a_blocked_item_unless_a_person_says_so() {
        let mut blocked = item("Backlog");
        blocked.has_open_blocker = true;
        let begins = |item: &Item, run: &Run| {
            let stale = SignedDuration::from_mins(5);
            apply(&mut item.clone(), run, &[Effect::ClaimItem], &Workflow::default(), start(), stale).is_ok()
        };
        let waits = run(9, start());
        assert!(!begins(&blocked, &waits));
        assert!(begins(&item("Backlog"), &waits));
        assert!(begins(&blocked, &Run { despite_blockers: true, ..waits.clone() }));
        assert!(begins(&blocked, &Run { kind: RunKind::Refine, ..waits }));
        blocked.has_open_blocker = false;
        blocked.blocked = true;
        assert!(begins(&blocked, &run(9, start())), "what a person notes by hand holds no run back");
    }

    fn taken(state: &str, kind: RunKind) -> (String, Vec<&'static str>) {
        let mut item = item(state);
        let run = Run { kind, ..run(9, start()) };
        let stale = SignedDuration::from_mins(5);
        let effects = [Effect::ClaimItem];
        let (events, words) = apply(&mut item, &run, &effects, &Workflow::default(), start(), stale).unwrap();
        assert_eq!(words, None);
        let name = |event| match event {
            Event::Item(ItemEvent::Claimed { .. }) => "claimed",
            Event::Item(ItemEvent::Moved { .. }) => "moved",
            other => panic!("{other:?}"),
        };
        (item.state, events.into_iter().map(name).collect())
    }

    #[test]
    fn work_that_begins_shows_on_an_item_of_the_backlog_only() {
        let moved = vec!["claimed", "moved"];
        assert_eq!(taken("Backlog", RunKind::Implement), ("In progress".into(), moved));
        assert_eq!(taken("Backlog", RunKind::Refine), ("Backlog".into(), vec!["claimed"]));
        assert_eq!(taken("In review", RunKind::Implement), ("In review".into(), vec!["claimed"]));
    }
}
