//! What a run does to its item: takes it, claims it, lets it go, and what it leaves there when it is over.
//!
//! Pure: the caller commits item, history and comment together with the run.

use jiff::{SignedDuration, Timestamp};

use super::machine::Effect;
use super::{Run, RunKind, outcome};
use crate::claim::{self, Claim};
use crate::item::Item;
use crate::project::{Action, HistoryEntry};
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

/// The item becomes the run's; a scheduled run claims it at once.
pub fn queue(item: &mut Item, run: &Run, now: Timestamp) -> Vec<HistoryEntry> {
    item.live_run = Some(run.id);
    let mut history = vec![HistoryEntry::new(now, run.requested_by.clone(), Action::RunQueued).about(run.id)];
    if run.scheduled_for.is_some() {
        item.claim = Some(Claim::begin(run.actor(), now));
        history.push(HistoryEntry::new(now, run.actor(), Action::Claimed).about(run.id));
    }
    history
}

/// What a step of the run does to its item, and the outcome comment if it leaves one.
///
/// # Errors
/// [`Refusal::ItemClaimed`] when it would claim what somebody else works on.
pub fn apply(
    item: &mut Item,
    run: &Run,
    effects: &[Effect],
    workflow: &Workflow,
    now: Timestamp,
    stale_after: SignedDuration,
) -> Result<(Vec<HistoryEntry>, Option<String>), Refusal> {
    let mut history = Vec::new();
    let mut words = None;
    let entry = |action| HistoryEntry::new(now, run.actor(), action).about(run.id);
    for effect in effects {
        match effect {
            Effect::ClaimItem => {
                history.extend(claim(item, run, now, stale_after)?);
                history.extend(begin(item, run, workflow, now));
            }
            Effect::KeepAlive => {
                if let Some(claim) = item.claim.as_mut().filter(|claim| claim.holder.id == run.actor().id) {
                    claim.heartbeat_at = now;
                }
            }
            Effect::UnclaimItem => history.extend(unclaim(item, run, now)),
            Effect::FreeItem => {
                history.extend(unclaim(item, run, now));
                if item.live_run == Some(run.id) {
                    item.live_run = None;
                }
                history.push(HistoryEntry {
                    to: Some(run.status().as_str().to_owned()),
                    ..entry(Action::RunFinished)
                });
            }
            Effect::LinkPullRequest { url } => {
                if !item.links.contains(url) {
                    item.links.push(url.clone());
                    history.push(HistoryEntry { to: Some(url.clone()), ..entry(Action::Linked) });
                }
            }
            Effect::PostOutcome => words = run.ended().map(|ended| outcome::comment(run, ended)),
            Effect::MoveItem { to } => history.extend(transition(item, run, to, workflow, now)),
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
    Ok((history, words))
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
) -> Result<Option<HistoryEntry>, Refusal> {
    let actor = run.actor();
    // A scheduled run, and one that was given back, has claimed the item before: that claim is its own.
    let event = match &item.claim {
        Some(claim) if claim.holder.id == actor.id => claim::Event::Heartbeat,
        Some(_) | None => claim::Event::Claim,
    };
    item.claim = claim::step(item.claim.as_ref(), event, &actor, now, stale_after)?;
    Ok((event == claim::Event::Claim).then(|| HistoryEntry::new(now, actor, Action::Claimed).about(run.id)))
}

/// Work that begins shows: an item of the backlog goes to the workflow's first active state, if there is
/// such a move. From there the playbook's success and failure states are usually a move away, as they would
/// be for a person. A refine run never moves the item.
fn begin(item: &mut Item, run: &Run, workflow: &Workflow, now: Timestamp) -> Option<HistoryEntry> {
    if run.kind == RunKind::Refine || workflow.group_of(&item.state) != Some(StateGroup::Backlog) {
        return None;
    }
    let to = workflow.reachable(&item.state).into_iter().find(|state| state.group == StateGroup::Active)?;
    let to = to.name.clone();
    transition(item, run, &to, workflow, now)
}

fn unclaim(item: &mut Item, run: &Run, now: Timestamp) -> Option<HistoryEntry> {
    let actor = run.actor();
    item.claim.take_if(|claim| claim.holder.id == actor.id)?;
    Some(HistoryEntry::new(now, actor, Action::Released).about(run.id))
}

fn transition(
    item: &mut Item,
    run: &Run,
    to: &str,
    workflow: &Workflow,
    now: Timestamp,
) -> Option<HistoryEntry> {
    let entry =
        |action, to: &str| HistoryEntry::new(now, run.actor(), action).about(run.id).between(&item.state, to);
    match workflow.transition(&item.state, to) {
        Ok(state) if state.name == item.state => None,
        Ok(state) => {
            let entry = entry(Action::Transitioned, &state.name);
            item.state.clone_from(&state.name);
            Some(entry)
        }
        Err(_) => Some(entry(Action::TransitionSkipped, to)),
    }
}

#[cfg(test)]
mod tests {
    use super::apply;
    use crate::item::Item;
    use crate::project::Action;
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

    fn taken(state: &str, kind: RunKind) -> (String, Vec<Action>) {
        let mut item = item(state);
        let run = Run { kind, ..run(9, start()) };
        let stale = SignedDuration::from_mins(5);
        let effects = [Effect::ClaimItem];
        let (history, words) =
            apply(&mut item, &run, &effects, &Workflow::default(), start(), stale).unwrap();
        assert_eq!(words, None);
        (item.state, history.into_iter().map(|entry| entry.action).collect())
    }

    #[test]
    fn work_that_begins_shows_on_an_item_of_the_backlog_only() {
        let moved = vec![Action::Claimed, Action::Transitioned];
        assert_eq!(taken("Backlog", RunKind::Implement), ("In progress".into(), moved));
        assert_eq!(taken("Backlog", RunKind::Refine), ("Backlog".into(), vec![Action::Claimed]));
        assert_eq!(taken("In review", RunKind::Implement), ("In review".into(), vec![Action::Claimed]));
    }
}
