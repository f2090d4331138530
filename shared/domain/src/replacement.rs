//! The replacement of a label or a workflow state in every item of a project, after it was renamed, merged
//! or removed.
//!
//! Decides which items it concerns and what becomes of each. Applying it twice does nothing the second time,
//! so a worker may be cut off and begin anew. It concerns what items had when it was asked for: a
//! label that somebody puts on afterwards stays.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::event::ItemEvent;
use crate::feed::FeedEntry;
use crate::ids::{Actor, MilestoneId};
use crate::item::{FieldChange, Item, LABEL_SEPARATOR, LABELS, MILESTONE, labels_in_words};
use crate::label::same;
use crate::project::HistoryEntry;
use crate::workflow::StateGroup;

/// A replacement that is being carried out. Stored until it is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Replacement {
    /// Id.
    pub id: Uuid,
    /// Who asked for it: the author of what the history tells.
    pub by: Actor,
    /// When.
    pub at: Timestamp,
    /// What it replaces.
    pub what: What,
}

/// What is replaced by what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum What {
    /// A label, in whatever case items have it.
    Label {
        /// The label that goes.
        from: String,
        /// The label that comes; `None` takes it off.
        to: Option<String>,
    },
    /// A workflow state.
    State {
        /// The state that goes.
        from: String,
        /// The state that its items go to.
        to: String,
        /// Group of that state; `None` in rows from before it was noted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        group: Option<StateGroup>,
    },
    /// A milestone that was deleted, which its items leave.
    Milestone {
        /// The milestone that goes.
        id: MilestoneId,
        /// Its name, for the history.
        name: String,
    },
    /// The name of a milestone. Items have its id, and saved views the name. Servers from before this was kept leave it to
    /// those that know it.
    MilestoneName {
        /// The old name.
        from: String,
        /// The new one.
        to: String,
    },
    /// The name of a sprint, likewise.
    SprintName {
        /// The old name.
        from: String,
        /// The new one.
        to: String,
    },
}

impl Replacement {
    /// Whether an item has what goes. Where it changed since, its history says whether it had it before
    /// ([`Replacement::is_undone_by`]).
    pub fn concerns(&self, entry: &FeedEntry) -> bool {
        match &self.what {
            What::Label { from, to } => {
                entry.created_at <= self.at && has_old(entry.labels.iter(), from, to.as_ref())
            }
            What::State { from, to, .. } => same(&entry.state, from) && entry.state != *to,
            What::Milestone { id, .. } => entry.milestone == Some(*id),
            What::MilestoneName { .. } | What::SprintName { .. } => false,
        }
    }

    /// Whether an item that last changed at this time has what goes from before. Nothing comes into a state that
    /// is gone.
    pub fn was_there(&self, last_change: Timestamp) -> bool {
        match &self.what {
            What::Label { .. } => last_change <= self.at,
            What::State { .. }
            | What::Milestone { .. }
            | What::MilestoneName { .. }
            | What::SprintName { .. } => true,
        }
    }

    /// Whether somebody put the label on an item after the replacement was asked for, by a line of its history.
    pub fn is_undone_by(&self, line: &HistoryEntry) -> bool {
        let What::Label { from, .. } = &self.what else { return false };
        let has = |labels: &Option<String>| {
            labels.iter().flat_map(|labels| labels.split(LABEL_SEPARATOR)).any(|label| same(label, from))
        };
        line.at > self.at && line.field.as_deref() == Some(LABELS) && !has(&line.from) && has(&line.to)
    }

    /// Replaces it in an item, and tells what happened; `None` when the item does not have it.
    pub fn apply(&self, item: &mut Item) -> Option<ItemEvent> {
        match &self.what {
            What::Label { from, to } => {
                let new = item.created_at > self.at;
                if new || !has_old(item.labels.iter(), from, to.as_ref()) {
                    return None;
                }
                let labels = item.labels.iter().filter(|label| !same(label, from)).chain(to).cloned();
                let change = item.set_labels(labels.collect::<BTreeSet<_>>());
                Some(ItemEvent::Changed(item.key.clone(), change))
            }
            What::State { from, to, group } => {
                if !same(&item.state, from) || item.state == *to {
                    return None;
                }
                let from = std::mem::replace(&mut item.state, to.clone());
                if let Some(group) = group {
                    item.enter(to, *group, self.at);
                }
                Some(ItemEvent::Moved { item: item.key.clone(), from, to: to.clone(), run: None })
            }
            What::Milestone { id, name } => {
                item.milestone.take_if(|milestone| milestone == id)?;
                let change = FieldChange { field: MILESTONE, from: Some(name.clone()), to: None };
                Some(ItemEvent::Changed(item.key.clone(), change))
            }
            What::MilestoneName { .. } | What::SprintName { .. } => None,
        }
    }
}

fn has_old<'a>(mut labels: impl Iterator<Item = &'a String>, from: &str, to: Option<&String>) -> bool {
    labels.any(|label| same(label, from) && Some(label) != to)
}

impl Item {
    /// Sets the labels, and says so.
    fn set_labels(&mut self, labels: BTreeSet<String>) -> FieldChange {
        let (from, to) = (labels_in_words(&self.labels), labels_in_words(&labels));
        let change = FieldChange { field: LABELS, from, to };
        self.labels = labels;
        change
    }
}

#[cfg(test)]
mod tests {
    use super::{Replacement, What};
    use crate::event::ItemEvent;
    use crate::feed::FeedEntry;
    use crate::ids::{Actor, ActorId, UserId};
    use crate::item::{Item, ItemType};
    use crate::project::{Action, HistoryEntry};
    use jiff::SignedDuration;
    use uuid::Uuid;

    fn item(labels: &[&str], state: &str) -> Item {
        let ada = Actor { id: ActorId::User(UserId(Uuid::from_u128(1))), name: "Ada".into() };
        let now = "2026-01-01T12:00:00Z".parse().unwrap();
        let mut item = Item::new("PRJ-1".parse().unwrap(), ItemType::Bug, "T".into(), state.into(), ada, now);
        item.labels = labels.iter().map(|label| (*label).to_owned()).collect();
        item
    }

    fn replacement(what: What) -> Replacement {
        let item = item(&[], "A");
        Replacement { id: Uuid::nil(), by: item.created_by, at: item.created_at, what }
    }

    fn label(from: &str, to: Option<&str>) -> Replacement {
        replacement(What::Label { from: from.into(), to: to.map(str::to_owned) })
    }

    #[test]
    fn what_is_replaced_is_replaced_once_and_told() {
        for (from, to, before, after) in [
            ("bug", Some("defect"), vec!["bug", "ui"], vec!["defect", "ui"]),
            ("bug", Some("ui"), vec!["Bug", "bug", "ui"], vec!["ui"]),
            ("bug", Some("Bug"), vec!["bug"], vec!["Bug"]),
            ("bug", None, vec!["BUG"], vec![]),
        ] {
            let (work, mut item) = (label(from, to), item(&before, "A"));
            assert!(work.concerns(&FeedEntry::of(&item, 1)));
            let Some(ItemEvent::Changed(_, told)) = work.apply(&mut item) else { panic!("nothing changed") };
            assert_eq!(told.from, Some(before.join(", ")));
            assert_eq!(item.labels.iter().map(String::as_str).collect::<Vec<_>>(), after);
            assert!(!work.concerns(&FeedEntry::of(&item, 1)));
            assert_eq!(work.apply(&mut item), None, "the second time changes nothing");
        }
    }

    #[test]
    fn a_label_that_is_put_on_afterwards_stays() {
        let work = label("bug", None);
        let line = |seconds: i64, from: Option<&str>, to: Option<&str>| HistoryEntry {
            field: Some("labels".into()),
            from: from.map(str::to_owned),
            to: to.map(str::to_owned),
            ..HistoryEntry::new(
                work.at + SignedDuration::from_secs(seconds),
                work.by.clone(),
                Action::Changed,
            )
        };
        for (line, undone) in [
            (line(1, None, Some("Bug")), true),
            (line(1, Some("ui"), Some("bug, ui")), true),
            (line(0, None, Some("bug")), false),
            (line(1, Some("bug"), Some("bug, ui")), false),
            (line(1, Some("bug"), None), false),
            (line(1, None, Some("bugs")), false),
        ] {
            assert_eq!(work.is_undone_by(&line), undone, "{line:?}");
        }
        assert!(work.was_there(work.at) && !work.was_there(work.at + SignedDuration::from_secs(1)));
        let mut made_after = item(&["bug"], "A");
        made_after.created_at += SignedDuration::from_secs(1);
        assert!(!work.concerns(&FeedEntry::of(&made_after, 1)));
        assert_eq!(work.apply(&mut made_after), None);
    }

    #[test]
    fn items_leave_a_state_that_goes_and_no_other() {
        let work = replacement(What::State { from: "Doing".into(), to: "In progress".into(), group: None });
        let mut there = item(&[], "doing");
        let told = work.apply(&mut there);
        let (from, to) = ("doing".to_owned(), "In progress".to_owned());
        assert_eq!(told, Some(ItemEvent::Moved { item: there.key.clone(), from, to, run: None }));
        assert_eq!(there.state, "In progress");
        assert!(!work.concerns(&FeedEntry::of(&item(&[], "Backlog"), 1)));
    }
}
