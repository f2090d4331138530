//! The workflow of a project: named states in groups, and the moves between them (specification section
//! 3.6; the defaults are ours).

mod identity;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::label::{folded, is_color, same};
use crate::refusal::{FieldErrors, Refusal};
use crate::word::word_enum;

word_enum! {
    /// What a workflow state means.
    StateGroup {
        /// Not begun.
        Backlog = "backlog",
        /// Being worked on.
        Active = "active",
        /// Done, waiting for acceptance.
        Resolved = "resolved",
        /// Finished or dropped.
        Closed = "closed",
    }
}

/// A state of a workflow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct State {
    /// Its stable id, where that is not the one of its name: see [`State::id`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Name, unique in the project whatever its case.
    pub name: String,
    /// What being in it means.
    pub group: StateGroup,
    /// Limit of items in it; never 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wip_limit: Option<u32>,
    /// Its colour, as `#` and six hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// What belongs into it; never empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// Longest description of a state, in characters.
const MAX_DESCRIPTION: usize = 500;

impl State {
    /// A state with nothing but a name and a meaning.
    pub fn new(name: impl Into<String>, group: StateGroup) -> Self {
        Self { id: None, name: name.into(), group, wip_limit: None, color: None, description: None }
    }

    /// What is wrong with how it looks, if anything is.
    fn wrong_looks(&self) -> Option<String> {
        if self.color.as_deref().is_some_and(|color| !is_color(color)) {
            return Some(format!("Give {:?} a colour such as #0e8a16.", self.name));
        }
        let long = |text: &String| text.chars().count() > MAX_DESCRIPTION;
        self.description
            .as_ref()
            .filter(|text| long(text))
            .map(|_| format!("The description of {:?} has at most {MAX_DESCRIPTION} characters.", self.name))
    }
}

impl Workflow {
    /// The same, where each state keeps what it does not say itself of how the one of its name was shown in
    /// `old`. What is 0 or empty is taken away.
    #[must_use]
    pub fn shown_as(mut self, old: &Self) -> Self {
        for state in &mut self.states {
            let was = old.find(&state.name);
            let kept = |own: Option<String>, was: Option<&String>| {
                own.or_else(|| was.cloned()).filter(|text| !text.trim().is_empty())
            };
            state.wip_limit =
                state.wip_limit.or_else(|| was.and_then(|was| was.wip_limit)).filter(|limit| *limit > 0);
            state.color = kept(state.color.take(), was.and_then(|was| was.color.as_ref()));
            state.description = kept(state.description.take(), was.and_then(|was| was.description.as_ref()));
        }
        self
    }
}

/// A permitted move, by the names of its states.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Move {
    /// State that the item is in.
    pub from: String,
    /// State that it may go to.
    pub to: String,
}

/// Something besides items and moves that names a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naming {
    /// The state.
    pub state: String,
    /// What the state is to what names it, as `the success state of the playbook "Implement"`.
    pub by: String,
}

/// The states of a project in board order and the moves between them. Its version is the row's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Workflow {
    /// States; new items start in the first.
    pub states: Vec<State>,
    /// Permitted moves.
    pub moves: Vec<Move>,
    /// Whether the project has rules that an item may fire when it enters a state: only then workers are told.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rules: bool,
}

/// Most states of a workflow.
pub const MAX_STATES: usize = 30;

impl StateGroup {
    /// Whether work in a state of this group is still to be done.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Backlog | Self::Active)
    }
}

impl Default for Workflow {
    /// Backlog, In progress, In review, Resolved, Closed, and all moves between neighbours.
    fn default() -> Self {
        let states: Vec<State> = [
            ("Backlog", StateGroup::Backlog),
            ("In progress", StateGroup::Active),
            ("In review", StateGroup::Active),
            ("Resolved", StateGroup::Resolved),
            ("Closed", StateGroup::Closed),
        ]
        .map(|(name, group)| State::new(name, group))
        .into();
        let moves = states
            .windows(2)
            .flat_map(|pair| [(&pair[0], &pair[1]), (&pair[1], &pair[0])])
            .map(|(from, to)| Move { from: from.name.clone(), to: to.name.clone() })
            .collect();
        Self { states, moves, rules: false }
    }
}

impl Workflow {
    /// The states that this workflow and a later one have, and of which one counts as work to do and the other not.
    pub fn turned(&self, later: &Self) -> Vec<String> {
        let turned = |state: &&State| {
            let before = self.states.iter().find(|before| before.name == state.name);
            before.is_some_and(|before| before.group.is_open() != state.group.is_open())
        };
        later.states.iter().filter(turned).map(|state| state.name.clone()).collect()
    }

    /// The state of this name, whatever its case.
    pub fn find(&self, name: &str) -> Option<&State> {
        let exact = self.states.iter().find(|state| state.name == name);
        if exact.is_some() {
            return exact;
        }
        let wanted = folded(name);
        self.states.iter().find(|state| folded(&state.name) == wanted)
    }

    /// The state of this name, whatever its case.
    ///
    /// # Errors
    /// What to tell who names a state that there is not: which there are.
    pub fn known(&self, name: &str) -> Result<&State, String> {
        self.find(name).ok_or_else(|| {
            let names = self.states.iter().map(|s| s.name.as_str()).collect::<Vec<_>>().join(", ");
            format!("There is no state {name:?}. The states are {names}.")
        })
    }

    /// Puts the state that came in the place of the one that went, as this workflow writes it. A name that
    /// means nothing stays.
    pub fn follow(&self, name: &mut Option<String>, moves: &[Move]) {
        let Some(name) = name else { return };
        let step = moves.iter().find(|step| same(&step.from, name));
        if let Some(state) = self.find(step.map_or(name.as_str(), |step| &step.to)) {
            name.clone_from(&state.name);
        }
    }

    /// Group of the state of this name.
    pub fn group_of(&self, name: &str) -> Option<StateGroup> {
        self.find(name).map(|state| state.group)
    }

    /// The state that new items start in.
    pub fn first(&self) -> &State {
        &self.states[0]
    }

    /// States that an item may go to from here, in board order. From a state that the workflow has no longer,
    /// an item may go anywhere, so that none is ever stuck.
    pub fn reachable(&self, from: &str) -> Vec<&State> {
        let Some(from) = self.find(from) else { return self.states.iter().collect() };
        let reaches = |to: &str| self.moves.iter().any(|m| m.from == from.name && m.to == to);
        self.states.iter().filter(|state| reaches(&state.name)).collect()
    }

    /// The state that a move ends in. Moving to the state one is in is permitted and changes nothing.
    ///
    /// # Errors
    /// [`Refusal::Invalid`] for an unknown state, [`Refusal::MoveNotPermitted`] for a move that is not one.
    pub fn transition(&self, from: &str, to: &str) -> Result<&State, Refusal> {
        let target = self.known(to).map_err(|why| Refusal::invalid("state", why))?;
        let permitted = self.reachable(from);
        let stays = self.find(from).is_some_and(|state| state.name == target.name);
        if stays || permitted.contains(&target) {
            return Ok(target);
        }
        Err(Refusal::MoveNotPermitted {
            from: from.to_owned(),
            to: target.name.clone(),
            permitted: permitted.into_iter().map(|state| state.name.clone()).collect(),
        })
    }

    /// Where items go whose state this workflow no longer has, or writes in another case. `before` tells how
    /// many items are in each state, `named` what else names states, `wanted` what takes the place of a state
    /// that goes.
    ///
    /// # Errors
    /// What is wrong with `states` (items would be left behind, or a name would mean nothing) and `moveItems`.
    pub fn relocations(
        &self,
        before: &[(String, u64)],
        named: &[Naming],
        wanted: &[Move],
    ) -> Result<Vec<Move>, FieldErrors> {
        let mut errors = FieldErrors::default();
        let mut found = Vec::with_capacity(wanted.len());
        for step in wanted {
            match self.find(&step.to) {
                _ if self.find(&step.from).is_some() => {
                    errors.add("moveItems", format!("{:?} is not removed, so its items stay.", step.from));
                }
                None => errors.add("moveItems", format!("{:?} is not one of the states.", step.to)),
                Some(to) => found.push(Move { from: step.from.clone(), to: to.name.clone() }),
            }
        }
        let moved = |state: &str| wanted.iter().any(|step| folded(&step.from) == folded(state));
        for (state, count) in before {
            match self.find(state) {
                Some(known) if known.name != *state => {
                    found.push(Move { from: state.clone(), to: known.name.clone() });
                }
                None if !moved(state) => {
                    let items = if *count == 1 { "item" } else { "items" };
                    let text = format!(
                        "{state:?} still has {count} {items}. Keep it, or name its replacement in moveItems."
                    );
                    errors.add("states", text);
                }
                Some(_) | None => {}
            }
        }
        for Naming { state, by } in named {
            if self.find(state).is_none() && !moved(state) {
                let text = format!("{state:?} is {by}. Keep it, or name its replacement in moveItems.");
                errors.add("states", text);
            }
        }
        errors.into_result().map(|()| found)
    }

    /// Whether the workflow holds together.
    ///
    /// # Errors
    /// What is wrong with `states` and `moves`.
    pub fn check(&self) -> Result<(), FieldErrors> {
        let mut errors = FieldErrors::default();
        if self.states.is_empty() || self.states.len() > MAX_STATES {
            errors.add("states", format!("Give 1 to {MAX_STATES} states."));
        }
        let mut seen = BTreeSet::new();
        for state in &self.states {
            let length = state.name.chars().count();
            let malformed = state.name.trim() != state.name
                || !(1..=40).contains(&length)
                || state.name.chars().any(|c| c.is_control() || c == ',' || c == '"');
            if malformed {
                errors.add(
                    "states",
                    format!(
                        "{:?} is not a state name: use 1 to 40 characters without commas or quotes.",
                        state.name
                    ),
                );
            }
            let group = state.name.to_lowercase().parse::<StateGroup>();
            if group.is_ok_and(|group| group != state.group) {
                let name = &state.name;
                errors.add(
                    "states",
                    format!("{name:?} is the name of a group: give it that group, or rename it."),
                );
            }
            if let Some(wrong) = state.wrong_looks() {
                errors.add("states", wrong);
            }
            if !seen.insert(folded(&state.name)) {
                errors.add("states", format!("{:?} is there twice.", state.name));
            }
        }
        if self.states.first().is_some_and(|state| state.group > StateGroup::Active) {
            errors.add("states", "New items start in the first state: its group is backlog or active.");
        }
        let mut unknown = std::collections::BTreeSet::new();
        for step in &self.moves {
            if step.from == step.to {
                errors.add("moves", format!("{:?} needs no move to itself.", step.from));
            }
            for name in [&step.from, &step.to] {
                // One that several moves name is told once.
                if !self.states.iter().any(|state| state.name == *name) && unknown.insert(name) {
                    errors.add("moves", format!("{name:?} is not one of the states."));
                }
            }
        }
        errors.into_result()
    }
}

#[cfg(test)]
mod tests {
    use super::{Move, Naming, StateGroup, Workflow};
    use crate::refusal::Refusal;

    #[test]
    fn a_group_is_no_name_for_a_state_of_another() {
        let named = |name: &str, group: StateGroup| {
            let mut workflow = Workflow::default();
            workflow.states.push(super::State::new(name, group));
            workflow.check().map_err(|errors| errors.0.into_keys().collect::<Vec<_>>())
        };
        assert_eq!(named("Active", StateGroup::Active), Ok(()));
        assert_eq!(named("active", StateGroup::Closed), Err(vec!["states".to_owned()]));
    }

    #[test]
    fn the_default_moves_between_neighbours_only() {
        let workflow = Workflow::default();
        assert!(workflow.check().is_ok());
        assert_eq!(workflow.transition("Backlog", "in PROGRESS").unwrap().name, "In progress");
        assert_eq!(workflow.transition("Backlog", "Backlog").unwrap().group, StateGroup::Backlog);
        let refusal = workflow.transition("In progress", "Closed").unwrap_err();
        assert_eq!(
            refusal,
            Refusal::MoveNotPermitted {
                from: "In progress".into(),
                to: "Closed".into(),
                permitted: vec!["Backlog".into(), "In review".into()],
            }
        );
    }

    #[test]
    fn an_unknown_state_is_answered_with_the_known_ones() {
        let Err(Refusal::Invalid(errors)) = Workflow::default().transition("Backlog", "Done") else {
            panic!("accepted");
        };
        assert!(errors.0["state"][0].contains("In review"));
    }

    #[test]
    fn an_item_is_stuck_neither_by_another_case_nor_in_a_state_that_went() {
        let workflow = Workflow::default();
        assert_eq!(workflow.transition("BACKLOG", "In progress").unwrap().name, "In progress");
        assert_eq!(workflow.transition("backlog", "Backlog").unwrap().name, "Backlog");
        assert_eq!(workflow.transition("Waiting", "Closed").unwrap().name, "Closed");
    }

    #[test]
    fn items_of_a_state_that_goes_are_told_where_to_go() {
        let workflow = Workflow::default();
        let step = |from: &str, to: &str| Move { from: from.into(), to: to.into() };
        let before = [("Doing".to_owned(), 3), ("Backlog".to_owned(), 1)];
        assert_eq!(
            workflow.relocations(&before, &[], &[step("DOING", "in progress")]).unwrap(),
            [step("DOING", "In progress")]
        );
        let errors = workflow.relocations(&before, &[], &[]).unwrap_err();
        assert!(errors.0["states"][0].contains("\"Doing\" still has 3 items."));
        let wrong = [step("Backlog", "Closed"), step("Doing", "Nowhere")];
        assert_eq!(workflow.relocations(&before, &[], &wrong).unwrap_err().0["moveItems"].len(), 2);
        let otherwise = [("BACKLOG".to_owned(), 1)];
        assert_eq!(workflow.relocations(&otherwise, &[], &[]).unwrap(), [step("BACKLOG", "Backlog")]);
    }

    #[test]
    fn a_state_that_something_names_is_not_left_out_without_another() {
        let workflow = Workflow::default();
        let by = "the success state of the playbook \"Implement\"";
        let named = [Naming { state: "Waiting".into(), by: by.into() }];
        let errors = workflow.relocations(&[], &named, &[]).unwrap_err();
        assert!(errors.0["states"][0].starts_with(&format!("\"Waiting\" is {by}.")), "{errors:?}");
        let instead = Move { from: "waiting".into(), to: "In review".into() };
        assert_eq!(workflow.relocations(&[], &named, std::slice::from_ref(&instead)).unwrap(), [instead]);
        let kept = [Naming { state: "in REVIEW".into(), by: by.into() }];
        assert!(workflow.relocations(&[], &kept, &[]).is_ok());
    }

    #[test]
    fn new_items_start_with_something_to_do() {
        let mut workflow = Workflow::default();
        workflow.states.reverse();
        assert!(workflow.check().unwrap_err().0["states"][0].contains("backlog or active"));
    }

    #[test]
    fn a_workflow_that_does_not_hold_together_is_refused() {
        let mut workflow = Workflow::default();
        workflow.states[1].name = "BACKLOG".into();
        let errors = workflow.check().unwrap_err();
        assert!(errors.0.contains_key("states") && errors.0.contains_key("moves"));
    }
}
