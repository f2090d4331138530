//! The stable ids of states: what a state keeps when it is renamed.
//!
//! The id of a state is made of the first name that it had, and stored only once it has another name. So states from
//! before there were ids have the same one for every caller.

use std::collections::BTreeSet;

use super::{Move, State, Workflow};
use crate::label::{folded, same};
use crate::refusal::FieldErrors;

/// The id that a state of this name begins with.
fn first_id(name: &str) -> String {
    folded(name).split_whitespace().collect::<Vec<_>>().join("-")
}

impl State {
    /// Its stable id, unique in the workflow.
    pub fn id(&self) -> String {
        self.id.clone().unwrap_or_else(|| first_id(&self.name))
    }
}

impl Workflow {
    /// The same, where each state that `old` has under another name keeps its id, and the moves of items that follow:
    /// those wanted, and one for each state that was renamed by its id.
    ///
    /// # Errors
    /// Ids that `old` does not have or that are given twice, and names that change places.
    pub fn identified(mut self, old: &Self, wanted: &[Move]) -> Result<(Self, Vec<Move>), FieldErrors> {
        let mut errors = FieldErrors::default();
        let mut moves = wanted.to_vec();
        let mut taken = BTreeSet::new();
        for state in &self.states {
            let Some(id) = &state.id else { continue };
            let Some(was) = old.states.iter().find(|was| was.id() == *id) else {
                errors.add(
                    "states",
                    format!("There is no state with the id {id:?}. Leave it out for a new state."),
                );
                continue;
            };
            if !taken.insert(id.clone()) {
                errors.add("states", format!("Two states have the id {id:?}."));
            }
            if same(&was.name, &state.name) {
                continue;
            }
            if self.find(&was.name).is_some() {
                let (from, to) = (&was.name, &state.name);
                errors.add(
                    "states",
                    format!("{from:?} cannot be renamed to {to:?} while another state takes its name."),
                );
            } else if !moves.iter().any(|step| same(&step.from, &was.name)) {
                moves.push(Move { from: was.name.clone(), to: state.name.clone() });
            }
        }
        errors.into_result()?;
        let ids: Vec<Option<String>> =
            self.states.iter().map(|state| self.id_in(old, state, wanted)).collect();
        for (state, id) in self.states.iter_mut().zip(ids) {
            state.id = state.id.take().or_else(|| id.filter(|id| taken.insert(id.clone())));
        }
        for state in &mut self.states {
            let own = first_id(&state.name);
            let free = || numbered(&own).find(|id| !taken.contains(id));
            let id = state.id.take().or_else(free).unwrap_or_else(|| own.clone());
            taken.insert(id.clone());
            state.id = (id != own).then_some(id);
        }
        Ok((self, moves))
    }

    /// The id of the state of `old` that a state without one is: that of its name, or the only one whose items all go
    /// to it because it is left out.
    fn id_in(&self, old: &Self, state: &State, wanted: &[Move]) -> Option<String> {
        if let Some(was) = old.find(&state.name) {
            return Some(was.id());
        }
        let mut came = wanted.iter().filter(|step| same(&step.to, &state.name));
        let only = came.next().filter(|_| came.next().is_none())?;
        old.find(&only.from).filter(|was| self.find(&was.name).is_none()).map(State::id)
    }
}

/// The text, and the same with numbers behind it.
fn numbered(text: &str) -> impl Iterator<Item = String> {
    std::iter::once(text.to_owned()).chain((2..).map(move |number| format!("{text}-{number}")))
}

#[cfg(test)]
mod tests {
    use super::super::{Move, State, StateGroup, Workflow};

    fn workflow(states: &[(Option<&str>, &str)]) -> Workflow {
        let state = |(id, name): &(Option<&str>, &str)| State {
            id: id.map(str::to_owned),
            ..State::new(*name, StateGroup::Active)
        };
        Workflow { states: states.iter().map(state).collect(), moves: vec![], rules: false }
    }

    fn step(from: &str, to: &str) -> Move {
        Move { from: from.into(), to: to.into() }
    }

    fn ids(workflow: &Workflow) -> Vec<String> {
        workflow.states.iter().map(State::id).collect()
    }

    #[test]
    fn a_renamed_state_keeps_its_id_and_a_new_one_of_the_old_name_gets_another() {
        let old = workflow(&[(None, "To do"), (None, "Doing")]);
        assert_eq!(ids(&old), ["to-do", "doing"]);
        let (by_id, moves) =
            workflow(&[(None, "To do"), (Some("doing"), "In progress")]).identified(&old, &[]).unwrap();
        assert_eq!(
            (ids(&by_id), moves),
            (vec!["to-do".into(), "doing".into()], vec![step("Doing", "In progress")])
        );
        let wanted = [step("Doing", "In progress")];
        let (by_move, moves) =
            workflow(&[(None, "To do"), (None, "In progress")]).identified(&old, &wanted).unwrap();
        assert_eq!((&by_move, &moves[..]), (&by_id, &wanted[..]));
        let (more, _) = workflow(&[(None, "to DO"), (None, "In progress"), (None, "Doing")])
            .identified(&by_id, &[])
            .unwrap();
        assert_eq!(ids(&more), ["to-do", "doing", "doing-2"]);
        let (back, _) = more.clone().identified(&more, &[]).unwrap();
        assert_eq!(back, more, "the same again changes nothing");
    }

    #[test]
    fn a_state_that_takes_the_items_of_two_is_a_new_one() {
        let old = workflow(&[(None, "A"), (None, "B")]);
        let wanted = [step("A", "C"), step("B", "C")];
        assert_eq!(ids(&workflow(&[(None, "C")]).identified(&old, &wanted).unwrap().0), ["c"]);
    }

    #[test]
    fn ids_are_those_of_the_workflow_once_and_names_do_not_change_places() {
        let old = workflow(&[(None, "A"), (None, "B")]);
        let refused = |states: &[(Option<&str>, &str)]| workflow(states).identified(&old, &[]).is_err();
        assert!(refused(&[(Some("x"), "A")]));
        assert!(refused(&[(Some("a"), "A"), (Some("a"), "C")]));
        assert!(refused(&[(Some("a"), "B"), (Some("b"), "A")]));
        assert!(!refused(&[(Some("a"), "A"), (None, "B")]));
    }
}
