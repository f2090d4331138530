//! How much work the items of a sprint are.
//!
//! Each item counts with its own numbers, except one whose subtasks are in the sprint and have numbers: there
//! the subtasks tell what is left to do, and to count the item too would count the work twice.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::feed::FeedEntry;
use crate::item::{Item, ItemType};
use crate::workflow::{StateGroup, Workflow};

/// What counts of an item in a sprint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Planned {
    /// Its number.
    pub number: u64,
    /// The item that it is a subtask of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtask_of: Option<u64>,
    /// Name of its workflow state.
    pub state: String,
    /// Estimated effort.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<f64>,
    /// Effort left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remaining: Option<f64>,
}

impl Planned {
    /// What counts of an item.
    pub fn of(item: &Item) -> Self {
        let subtask = item.item_type == ItemType::Subtask;
        Self {
            number: item.key.number,
            subtask_of: item.parent.as_ref().filter(|_| subtask).map(|parent| parent.number),
            state: item.state.clone(),
            estimate: item.estimate,
            remaining: item.remaining,
        }
    }

    /// The same of an entry of the feed.
    pub fn listed(entry: &FeedEntry) -> Self {
        let subtask = entry.item_type == ItemType::Subtask;
        Self {
            number: entry.number,
            subtask_of: entry.parent.as_ref().filter(|_| subtask).map(|parent| parent.number),
            state: entry.state.clone(),
            estimate: entry.estimate,
            remaining: entry.remaining,
        }
    }
}

/// How much work items are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Work {
    /// How many items; subtasks whose item is there too are part of it.
    pub items: u64,
    /// How many of them are neither resolved nor closed.
    pub unfinished: u64,
    /// Sum of their estimates.
    pub estimate: f64,
    /// Sum of the effort left in the unfinished ones: `remaining`, or the estimate where that is not given.
    pub remaining: f64,
}

impl Work {
    /// The work that items are.
    pub fn of<'a>(items: impl IntoIterator<Item = &'a Planned>, workflow: &Workflow) -> Self {
        let items: Vec<&Planned> = items.into_iter().collect();
        let there: BTreeSet<u64> = items.iter().map(|item| item.number).collect();
        let has_numbers = |item: &&&Planned| item.estimate.is_some() || item.remaining.is_some();
        let split: BTreeSet<u64> =
            items.iter().filter(has_numbers).filter_map(|item| item.subtask_of).collect();
        let mut sum = Self::default();
        for item in items {
            let unfinished = !is_finished(&item.state, workflow);
            if item.subtask_of.is_none_or(|parent| !there.contains(&parent)) {
                sum.items += 1;
                sum.unfinished += u64::from(unfinished);
            }
            if !split.contains(&item.number) {
                sum.estimate += item.estimate.unwrap_or(0.0);
                let left = item.remaining.or(item.estimate).unwrap_or(0.0);
                sum.remaining += if unfinished { left } else { 0.0 };
            }
        }
        sum
    }
}

/// Whether an item in this state is resolved or closed. A state that the workflow has no longer is neither.
pub fn is_finished(state: &str, workflow: &Workflow) -> bool {
    matches!(workflow.group_of(state), Some(StateGroup::Resolved | StateGroup::Closed))
}

#[cfg(test)]
mod tests {
    use super::{Planned, Work};
    use crate::workflow::Workflow;

    fn item(number: u64, state: &str, estimate: Option<f64>, remaining: Option<f64>) -> Planned {
        Planned { number, subtask_of: None, state: state.into(), estimate, remaining }
    }

    fn subtask(number: u64, of: u64, state: &str, estimate: Option<f64>) -> Planned {
        Planned { subtask_of: Some(of), ..item(number, state, estimate, None) }
    }

    #[test]
    fn what_is_finished_is_not_left_to_do_whatever_its_fields_say() {
        let items = [
            item(1, "Backlog", Some(3.0), None),
            item(2, "In progress", Some(5.0), Some(1.5)),
            item(3, "Resolved", Some(8.0), Some(2.0)),
            item(4, "Closed", None, None),
            item(5, "A state that is gone", None, None),
        ];
        let work = Work::of(&items, &Workflow::default());
        assert_eq!(work, Work { items: 5, unfinished: 3, estimate: 16.0, remaining: 4.5 });
    }

    #[test]
    fn subtasks_with_numbers_stand_for_their_item() {
        let items = [
            item(1, "In progress", Some(13.0), Some(13.0)),
            subtask(2, 1, "Resolved", Some(2.0)),
            subtask(3, 1, "Backlog", Some(4.0)),
            item(4, "Backlog", Some(5.0), None),
            subtask(5, 4, "Backlog", None),
            subtask(6, 99, "Backlog", Some(1.0)),
        ];
        let work = Work::of(&items, &Workflow::default());
        assert_eq!(work, Work { items: 3, unfinished: 3, estimate: 12.0, remaining: 10.0 });
    }
}
