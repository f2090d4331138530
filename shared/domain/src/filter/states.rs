//! Which states a filter of a project's items may name: those of its workflow, and the groups. A name that is
//! neither finds nothing for ever, so its author is told.

use super::ast::{Condition, Filter};
use crate::refusal::FieldErrors;
use crate::workflow::{StateGroup, Workflow};

impl Filter {
    /// Whether the workflow has every state that the filter names.
    ///
    /// # Errors
    /// Each term with one that it has not, and what it could say.
    pub fn check_states(&self, workflow: &Workflow) -> Result<(), FieldErrors> {
        let mut errors = FieldErrors::default();
        for term in self.terms() {
            let Condition::State(names) = &term.condition else { continue };
            let known = |name: &str| {
                name.to_lowercase().parse::<StateGroup>().is_ok() || workflow.find(name).is_some()
            };
            for name in names.iter().filter(|name| !known(name)) {
                let states: Vec<_> = workflow.states.iter().map(|state| &*state.name).collect();
                let states = states.join(", ");
                errors.add(
                    "filter",
                    format!(
                        "`{term}`: There is no state `{name}`. The states are {states}; their groups are backlog, \
                         active, resolved and closed."
                    ),
                );
            }
        }
        errors.into_result()
    }
}

#[cfg(test)]
mod tests {
    use crate::filter::Filter;
    use crate::workflow::Workflow;

    #[test]
    fn states_are_those_of_the_workflow_and_the_groups() {
        let check = |filter: &str| Filter::parse(filter).unwrap().check_states(&Workflow::default());
        for filter in ["", "type:bug", "state:active", "state:BACKLOG,\"in progress\"", "-state:Resolved"] {
            assert_eq!(check(filter), Ok(()), "{filter}");
        }
        let said = check("type:bug -state:active,Doing,Done").unwrap_err().0.remove("filter").unwrap();
        assert_eq!(said.len(), 2);
        assert_eq!(
            said[0],
            "`-state:active,Doing,Done`: There is no state `Doing`. The states are Backlog, In progress, In review, \
             Resolved, Closed; their groups are backlog, active, resolved and closed."
        );
    }
}
