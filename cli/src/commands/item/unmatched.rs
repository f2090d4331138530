//! Why a filter found nothing: it may name a state or label that the project does not have, which the
//! instance takes for a question with an empty answer.

use svc_domain::filter::{Condition, Filter};

use crate::session::Session;

/// The groups of states, which a filter names as it names states.
const GROUPS: [&str; 4] = ["backlog", "active", "resolved", "closed"];

/// What a person who found nothing should know. What cannot be looked up is not told.
pub(super) async fn reasons(filter: &str, project: &str, org: &str, session: &Session<'_>) -> Vec<String> {
    let Ok(filter) = Filter::parse(filter) else { return Vec::new() };
    let (mut states, mut labels, mut reasons) = (Vec::new(), Vec::new(), Vec::new());
    // What is left out by a name that nothing has is nothing.
    for term in filter.terms().iter().filter(|term| !term.negated) {
        match &term.condition {
            Condition::State(names) => states.extend(names),
            Condition::Label(choices) => labels.extend(choices.iter().flatten()),
            _ => {}
        }
    }
    if !states.is_empty()
        && let Ok(workflow) = session.org(org).workflow(project).await
    {
        let known: Vec<_> = workflow.states.iter().map(|state| state.name.as_str()).collect();
        let unknown = states.into_iter().filter(|name| !among(name, &known) && !among(name, &GROUPS));
        let list = known.join(", ");
        reasons.extend(unknown.map(|name| format!("There is no state {name:?}. The states are {list}.")));
    }
    if !labels.is_empty()
        && let Ok(known) = session.org(org).labels(project).await
    {
        let all: Vec<_> = known.into_iter().map(|label| label.name).collect();
        let unknown = labels.into_iter().filter(|name| !among(name, &all));
        reasons.extend(unknown.map(|name| format!("No item has the label {name:?}.")));
    }
    reasons
}

fn among(name: &str, known: &[impl AsRef<str>]) -> bool {
    let folded = name.to_lowercase();
    known.iter().any(|known| known.as_ref().to_lowercase() == folded)
}
