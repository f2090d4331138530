//! What a filter names that a project does not have: a state, which the instance refuses, or a label or milestone, which
//! it takes for a question with an empty answer.

use svc_api::tracker::{SavedView, SprintQuery};
use svc_domain::filter::{Condition, Filter, MilestoneChoice, SprintChoice};
use svc_domain::ids::ProjectKey;

use crate::editor::quoted;
use crate::failure::Failure;
use crate::near::did_you_mean;
use crate::session::Session;

/// The groups of states, which a filter names as it names states.
const GROUPS: [&str; 4] = ["backlog", "active", "resolved", "closed"];

/// Something that a filter names and that there is not.
pub(in crate::commands) struct Reason {
    /// How bad it is.
    kind: Kind,
    /// What a person should know.
    pub(in crate::commands) text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The instance refuses the filter for it.
    Refused,
    /// It finds nothing.
    Unknown,
    /// It finds nothing now, and that is as it should be.
    Passing,
}

/// What a person who found nothing should know. What cannot be looked up is not told.
pub(in crate::commands) async fn reasons(
    filter: &str,
    project: &str,
    org: &str,
    session: &Session<'_>,
) -> Vec<Reason> {
    let Ok(filter) = Filter::parse(filter) else { return Vec::new() };
    let (mut states, mut labels, mut milestones) = (Vec::new(), Vec::new(), Vec::new());
    let mut current = false;
    for term in filter.terms() {
        match &term.condition {
            Condition::State(names) => states.extend(names),
            // What is left out by a name that nothing has is nothing.
            Condition::Label(choices) if !term.negated => labels.extend(choices.iter().flatten()),
            Condition::Milestone(choices) if !term.negated => {
                milestones.extend(choices.iter().filter_map(|choice| match choice {
                    MilestoneChoice::Named(name) => Some(name),
                    _ => None,
                }));
            }
            Condition::Sprint(choices) if !term.negated => {
                current |= choices.contains(&SprintChoice::Current)
            }
            _ => {}
        }
    }
    let (org, mut reasons) = (session.org(org), Vec::new());
    if !states.is_empty()
        && let Ok(workflow) = org.workflow(project).await
    {
        let known: Vec<_> = workflow.states.into_iter().map(|state| state.name).collect();
        let all: Vec<_> = known.iter().map(String::as_str).chain(GROUPS).collect();
        reasons.extend(unknown(&states, &all).map(|name| Reason {
            kind: Kind::Refused,
            text: guessed(
                format!("There is no state {name:?}. The states are {}.", known.join(", ")),
                name,
                &all,
            ),
        }));
    }
    if !labels.is_empty()
        && let Ok(known) = org.labels(project).await
    {
        let known: Vec<_> = known.iter().map(|label| label.name.as_str()).collect();
        let said = |name| guessed(format!("No item has the label {name:?}."), name, &known);
        reasons.extend(unknown(&labels, &known).map(|name| Reason { kind: Kind::Unknown, text: said(name) }));
    }
    if !milestones.is_empty()
        && let Ok(known) = org.milestones(project).await
    {
        let known: Vec<_> = known.iter().map(|milestone| milestone.name.as_str()).collect();
        let said = |name| guessed(format!("There is no milestone {name:?}."), name, &known);
        reasons.extend(
            unknown(&milestones, &known).map(|name| Reason { kind: Kind::Unknown, text: said(name) }),
        );
    }
    let active = SprintQuery { state: Some("active".to_owned()), ..SprintQuery::default() };
    if current
        && let Ok(sprints) = org.sprints(project, &active).await
        && sprints.items.is_empty()
    {
        let text = format!("{project} has no active sprint; `svc sprint start` starts one.");
        reasons.push(Reason { kind: Kind::Passing, text });
    }
    reasons
}

/// The same, without what passes.
async fn lasting(filter: &str, project: &ProjectKey, org: &str, session: &Session<'_>) -> Vec<Reason> {
    let mut reasons = reasons(filter, project.as_str(), org, session).await;
    reasons.retain(|reason| reason.kind != Kind::Passing);
    reasons
}

/// Checks what a view is to be saved with: a state that there is not is refused, as in a list; of a label or milestone,
/// which may come, the person is warned.
///
/// # Errors
/// The filter names a state that the project does not have.
pub(in crate::commands) async fn check_saved(
    filter: &str,
    project: &ProjectKey,
    org: &str,
    session: &Session<'_>,
) -> Result<(), Failure> {
    let (refused, others): (Vec<_>, Vec<_>) = lasting(filter, project, org, session)
        .await
        .into_iter()
        .partition(|reason| reason.kind == Kind::Refused);
    if !refused.is_empty() {
        let said: Vec<_> = refused.into_iter().map(|reason| reason.text).collect();
        return Err(Failure::rejected(format!("the filter names a state that does not exist in {project}"))
            .detail(said.join("\n  "))
            .hint("correct the filter; nothing was saved"));
    }
    others.iter().for_each(|reason| session.output.warn(&reason.text));
    Ok(())
}

/// Says which view names what is no longer there, and how it is mended. Answers what was told.
pub(in crate::commands) async fn warn_of(
    view: &SavedView,
    project: &ProjectKey,
    org: &str,
    session: &Session<'_>,
) -> Vec<String> {
    let reasons = lasting(&view.filter, project, org, session).await;
    for reason in &reasons {
        session.output.warn(&format!("the view {:?}: {}", view.name, reason.text));
    }
    if !reasons.is_empty() {
        session.output.say(&format!("  next: {}", mend(view, project)));
    }
    reasons.into_iter().map(|reason| reason.text).collect()
}

/// How the filter of a view is mended.
pub(in crate::commands) fn mend(view: &SavedView, project: &ProjectKey) -> String {
    let name = quoted(&view.name);
    if view.can_edit {
        format!("change its filter with `svc view edit {name} -p {project} --filter <TERMS>`")
    } else {
        format!("ask {} to change its filter, or save a view of your own", view.created_by.name)
    }
}

/// The names that are none of those that are known, in any case.
pub(super) fn unknown<'a>(names: &[&'a String], known: &[&str]) -> impl Iterator<Item = &'a str> {
    let folded: Vec<_> = known.iter().map(|known| known.to_lowercase()).collect();
    names.iter().map(|name| name.as_str()).filter(move |name| !folded.contains(&name.to_lowercase()))
}

/// What is said, with the name that may be meant.
fn guessed(said: String, name: &str, known: &[&str]) -> String {
    match did_you_mean(name, known.iter().copied()) {
        Some(question) => format!("{said} D{}", &question[1..]),
        None => said,
    }
}
