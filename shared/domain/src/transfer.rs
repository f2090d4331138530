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
//! | other children            | go along with all that is below them, or stay without a parent, as asked  |
//! | all else                  | as it was: texts, labels, links, discussion, attachments, history, runs   |
//!
//! What somebody else works on, an item with a live run, and a subtask by itself stay. An item stays while one that would go
//! along is worked on.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::access::Access;
use crate::claim::Claim;
use crate::event::ItemEvent;
use crate::ids::{Actor, ActorId, ItemKey};
use crate::item::{FieldChange, Item, ItemType, MILESTONE};
use crate::refusal::Refusal;
use crate::workflow::{State, Workflow};

/// Which of those that belong to an item go along with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Along {
    /// Its subtasks, which never are by themselves.
    #[default]
    Subtasks,
    /// All, with all that is below them.
    All,
}

impl Along {
    /// Whether an item of this type goes along with what it belongs to.
    #[must_use]
    pub fn takes(self, item_type: ItemType) -> bool {
        self == Self::All || item_type == ItemType::Subtask
    }
}

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
    /// Which of those that belonged to it follow. Rows of earlier servers say nothing: no others were there.
    #[serde(default)]
    pub along: Along,
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
        if let Some(claim) = self.other_claim(access.actor.id, now, stale_after) {
            return Err(Refusal::ItemClaimed { holder: claim.holder.name.clone() });
        }
        if self.item_type == ItemType::Subtask {
            return Err(Refusal::Conflict("a subtask cannot leave its parent: change its type first"));
        }
        Ok(())
    }

    /// Whether it may go along with what it belongs to: neither a run nor anybody but this actor works on it.
    #[must_use]
    pub fn is_free_for(&self, actor: ActorId, now: Timestamp, stale_after: SignedDuration) -> bool {
        self.live_run.is_none() && self.other_claim(actor, now, stale_after).is_none()
    }

    /// The claim of anybody else, while it is alive.
    fn other_claim(&self, actor: ActorId, now: Timestamp, stale_after: SignedDuration) -> Option<&Claim> {
        self.claim.as_ref().filter(|claim| claim.holder.id != actor && !claim.is_stale(now, stale_after))
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
