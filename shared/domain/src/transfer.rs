//! Moving an item to another project: who may, what the item is there, and what stays at its old key.
//!
//! | of the item               | in the other project                                                      |
//! |---------------------------|---------------------------------------------------------------------------|
//! | key                       | the next number there; the old one leads to it and is never used again    |
//! | state                     | the one of the same name, else the first of the same group, else the first |
//! | assignee                  | stays, if that person sees the project                                     |
//! | claim                     | stays, if the caller holds it                                             |
//! | sprint, milestone, parent  | none: they belong to the old project; the history names what it had       |
//! | subtasks                  | go along, each under a number of its own                                  |
//! | all else                  | as it was: texts, labels, links, discussion, attachments, history, runs   |
//!
//! What somebody else works on, an item with a live run, a subtask by itself, and an item that others than subtasks belong
//! to stay.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::access::Access;
use crate::claim::Claim;
use crate::event::ItemEvent;
use crate::ids::{Actor, ItemKey};
use crate::item::{FieldChange, Item, ItemType, MILESTONE};
use crate::refusal::Refusal;
use crate::workflow::{State, Workflow};

/// Where an item went that had another key. A stored row, under the old key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Transfer {
    /// The old key.
    pub from: ItemKey,
    /// The key that the item got.
    pub to: ItemKey,
    /// Who moved it.
    pub by: Actor,
    /// When.
    pub at: Timestamp,
    /// Pull requests whose pointers still name the old key.
    #[serde(default)]
    pub links: Vec<String>,
    /// Items whose links may still name the old key.
    #[serde(default)]
    pub linked: Vec<ItemKey>,
    /// Whether all that hung on the item has followed.
    #[serde(default)]
    pub complete: bool,
}

impl Item {
    /// Whether the caller, who may work in both projects, may move it now.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`] for agents; [`Refusal::LiveRunExists`]; [`Refusal::ItemClaimed`];
    /// [`Refusal::Conflict`] for a subtask.
    pub fn require_transfer(
        &self,
        access: &Access,
        now: Timestamp,
        stale_after: SignedDuration,
    ) -> Result<(), Refusal> {
        if access.is_agent() {
            return Err(Refusal::Forbidden("only people can move items to other projects"));
        }
        if let Some(run) = self.live_run {
            return Err(Refusal::LiveRunExists { run });
        }
        let held = |claim: &&Claim| claim.holder.id != access.actor.id && !claim.is_stale(now, stale_after);
        if let Some(claim) = self.claim.as_ref().filter(held) {
            return Err(Refusal::ItemClaimed { holder: claim.holder.name.clone() });
        }
        if self.item_type == ItemType::Subtask {
            return Err(Refusal::Conflict("a subtask cannot leave its parent: change its type first"));
        }
        Ok(())
    }

    /// Whether the item may go along as a subtask, in a commit with what it belongs to.
    ///
    /// # Errors
    /// [`Refusal::Conflict`] for what is no subtask, and for one that somebody else or a run works on.
    pub fn require_going_along(
        &self,
        access: &Access,
        now: Timestamp,
        stale_after: SignedDuration,
    ) -> Result<(), Refusal> {
        if self.item_type != ItemType::Subtask {
            return Err(Refusal::Conflict(
                "this item has children that are not subtasks: move them out of it first",
            ));
        }
        let held = |claim: &Claim| claim.holder.id != access.actor.id && !claim.is_stale(now, stale_after);
        if self.live_run.is_some() || self.claim.as_ref().is_some_and(held) {
            return Err(Refusal::Conflict(
                "somebody is working on a subtask of this item: wait until it is free",
            ));
        }
        Ok(())
    }

    /// The item under its new key, as a part of this one, and what is told of the change besides the new key. `left` are the
    /// names of the sprint and the milestone that it had.
    #[must_use]
    pub fn transferred(
        &self,
        (to, parent): (ItemKey, Option<ItemKey>),
        (from, into): (&Workflow, &Workflow),
        assignee: Option<Actor>,
        left: (Option<String>, Option<String>),
        by: &Actor,
        now: Timestamp,
    ) -> (Self, Vec<ItemEvent>) {
        let state = state_there(&self.state, from, into);
        let mut item = Self {
            key: to.clone(),
            assignee,
            parent,
            sprint: None,
            milestone: None,
            rank: None,
            claim: self.claim.clone().filter(|claim| claim.holder.id == by.id),
            former_key: Some(self.key.clone()),
            first_key: Some(self.first_key.clone().unwrap_or_else(|| self.key.clone())),
            ..self.clone()
        };
        item.enter(&state.name, state.group, now);
        let mut told = Vec::new();
        if item.state != self.state {
            told.push(ItemEvent::Moved {
                item: to.clone(),
                from: self.state.clone(),
                to: item.state.clone(),
                run: None,
            });
        }
        let name = |actor: &Option<Actor>| actor.as_ref().map(|actor| actor.name.clone());
        let key = |key: &Option<ItemKey>| key.as_ref().map(ToString::to_string);
        let fields = [
            ("assignee", name(&self.assignee), name(&item.assignee)),
            ("parent", key(&self.parent), key(&item.parent)),
            ("sprint", left.0, None),
            (MILESTONE, left.1, None),
        ];
        let changed = fields.into_iter().filter(|(_, from, to)| from != to);
        told.extend(
            changed.map(|(field, from, to)| {
                ItemEvent::Changed(item.key.clone(), FieldChange { field, from, to })
            }),
        );
        (item, told)
    }
}

/// The state of the other workflow that an item in this state gets.
fn state_there<'a>(state: &str, from: &Workflow, into: &'a Workflow) -> &'a State {
    let same_group = || {
        let group = from.group_of(state)?;
        into.states.iter().find(|there| there.group == group)
    };
    into.find(state).or_else(same_group).unwrap_or_else(|| into.first())
}

#[cfg(test)]
mod tests {
    use super::state_there;
    use crate::workflow::{State, StateGroup, Workflow};

    #[test]
    fn a_state_is_found_by_name_then_by_group_then_it_is_the_first() {
        let from = Workflow::default();
        let states = vec![
            State::new("New", StateGroup::Backlog),
            State::new("In review", StateGroup::Active),
            State::new("Done", StateGroup::Closed),
        ];
        let into = Workflow { states, moves: Vec::new(), rules: false };
        let there = |state: &str| state_there(state, &from, &into).name.clone();
        assert_eq!(there("In review"), "In review");
        assert_eq!(there("In progress"), "In review");
        assert_eq!(there("Backlog"), "New");
        assert_eq!(there("Closed"), "Done");
        assert_eq!(there("Resolved"), "New", "no state there is of its group");
        assert_eq!(there("No longer in the workflow"), "New");
    }
}
