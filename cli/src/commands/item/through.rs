//! The way of an item through its workflow: the shortest, state by state.

use std::collections::{HashSet, VecDeque};

use svc_api::tracker::{Item, Transition, Workflow, WorkflowState};

use crate::failure::Failure;
use crate::session::Session;

/// Moves an item to the nearest state that `wanted` knows, through other states only with `through`. `what` says which
/// state that is, and `command` moves it there.
///
/// # Errors
/// No moves lead there, or several and `through` is not given (exit code 3).
pub(super) async fn go(
    mut item: Item,
    wanted: impl Fn(&WorkflowState) -> bool,
    (what, command): (&str, &str),
    through: bool,
    org: &str,
    session: &Session<'_>,
) -> Result<Item, Failure> {
    let (key, from) = (item.key.clone(), item.state.clone());
    let project = key.rsplit_once('-').map_or(key.as_str(), |(project, _)| project);
    let workflow = session.org(org).workflow(project).await?;
    let Some(way) = way(&workflow, &from, wanted) else {
        return Err(Failure::conflict(format!("no move leads from {from:?} to {what}"))
            .hint(format!("see the states and moves with `svc workflow view -p {project}`")));
    };
    if way.len() > 1 && !through {
        let moves: Vec<_> =
            way.iter().map(|state| format!("`svc item move {key} --state '{state}'`")).collect();
        return Err(Failure::conflict(format!("{key} is in {from:?}, which has no move to {what}"))
            .detail(format!("the moves in between: {}", moves.join(", ")))
            .hint(format!("make them one by one, or all at once with `{command} --through`")));
    }
    for state in way {
        let step = Transition { version: item.version, state: state.to_owned() };
        item = session.org(org).transition(&key, &step).await?;
    }
    Ok(item)
}

/// The states of the shortest way from a state to one that is wanted; none where it is wanted itself.
fn way<'a>(
    workflow: &'a Workflow,
    from: &'a str,
    wanted: impl Fn(&WorkflowState) -> bool,
) -> Option<Vec<&'a str>> {
    let arrived = |name: &str| workflow.states.iter().any(|state| state.name == name && wanted(state));
    let (mut ways, mut seen) = (VecDeque::from([(from, Vec::new())]), HashSet::from([from]));
    while let Some((state, way)) = ways.pop_front() {
        if arrived(state) {
            return Some(way);
        }
        // Of ways of the same length, the one to the state that comes first in the workflow.
        let leads = |to: &str| workflow.moves.iter().any(|step| step.from == state && step.to == to);
        for next in workflow.states.iter().filter(|next| leads(&next.name)) {
            if seen.insert(next.name.as_str()) {
                let further = way.iter().copied().chain([next.name.as_str()]).collect();
                ways.push_back((next.name.as_str(), further));
            }
        }
    }
    None
}
