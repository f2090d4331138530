//! `svc item close`: moves an item to a closed state, by the moves that the workflow permits.

use std::collections::{HashSet, VecDeque};

use svc_api::tracker::{StateGroup, Transition, Workflow};
use svc_domain::ids::ItemKey;

use super::shared::show;
use crate::failure::Failure;
use crate::keys::item_key;
use crate::session::Session;

/// Close an item: move it to a closed state.
///
/// If the workflow has no direct move to a closed state, nothing is changed, and the error names the moves in between
/// (exit code 3). With --through, svc makes those moves too. Rules that hand items in these states to agents then
/// apply.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc item close PRJ-12
  svc item close PRJ-12 --through")]
pub(crate) struct Args {
    /// Key of the item
    #[arg(value_name = "ITEM_KEY", value_parser = item_key)]
    key: ItemKey,
    /// Move it through other states if the workflow requires that
    #[arg(long)]
    through: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, key) = (session.org_slug().await?, args.key.to_string());
    let (org, project) = (session.org(&slug), args.key.project.as_str());
    let (mut item, workflow) = futures::try_join!(org.item(&key), org.workflow(project))?;
    let from = item.state.clone();
    let Some(way) = way(&workflow, &from) else {
        return Err(Failure::conflict(format!("no move leads from {:?} to a closed state", item.state))
            .hint(format!("see the states and moves with `svc workflow view -p {project}`")));
    };
    if way.len() > 1 && !args.through {
        let moves: Vec<_> =
            way.iter().map(|state| format!("`svc item move {key} --state '{state}'`")).collect();
        return Err(Failure::conflict(format!(
            "{key} is in {:?}, which has no move to a closed state",
            item.state
        ))
        .detail(format!("the moves in between: {}", moves.join(", ")))
        .hint(format!("make them one by one, or all at once with `svc item close {key} --through`")));
    }
    if way.is_empty() {
        session.output.say(&format!("{key} is closed already."));
    }
    for state in way {
        let step = Transition { version: item.version, state: state.to_owned() };
        item = org.transition(&key, &step).await?;
    }
    show(&item, session)
}

/// The states of the shortest way from a state to a closed one; none where it is closed itself.
fn way<'a>(workflow: &'a Workflow, from: &'a str) -> Option<Vec<&'a str>> {
    let closed = |name: &str| {
        workflow.states.iter().any(|state| state.name == name && state.group == StateGroup::Closed)
    };
    let (mut ways, mut seen) = (VecDeque::from([(from, Vec::new())]), HashSet::from([from]));
    while let Some((state, way)) = ways.pop_front() {
        if closed(state) {
            return Some(way);
        }
        for step in workflow.moves.iter().filter(|step| step.from == state) {
            if seen.insert(step.to.as_str()) {
                let further = way.iter().copied().chain([step.to.as_str()]).collect();
                ways.push_back((step.to.as_str(), further));
            }
        }
    }
    None
}
