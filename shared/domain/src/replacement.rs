//! The replacement of a label or a workflow state in every item of a project, after it was renamed, merged
//! or removed.
//!
//! Decides which items it concerns and what becomes of each. Applying it twice does nothing the second time,
//! so whoever carries it out may be cut off and begin anew.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::event::Event;
use crate::feed::FeedEntry;
use crate::ids::Actor;
use crate::item::{FieldChange, Item};
use crate::label::same;

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
    },
}

impl Replacement {
    /// Whether an item has what goes.
    pub fn concerns(&self, entry: &FeedEntry) -> bool {
        match &self.what {
            What::Label { from, to } => has_old(entry.labels.iter(), from, to.as_ref()),
            What::State { from, to } => same(&entry.state, from) && entry.state != *to,
        }
    }

    /// Replaces it in an item, and tells what happened; `None` when the item does not have it.
    pub fn apply(&self, item: &mut Item) -> Option<Event> {
        match &self.what {
            What::Label { from, to } => {
                if !has_old(item.labels.iter(), from, to.as_ref()) {
                    return None;
                }
                let labels = item.labels.iter().filter(|label| !same(label, from)).chain(to).cloned();
                let change = item.set_labels(labels.collect::<BTreeSet<_>>());
                Some(Event::ItemChanged(item.key.clone(), change))
            }
            What::State { from, to } => {
                if !same(&item.state, from) || item.state == *to {
                    return None;
                }
                let from = std::mem::replace(&mut item.state, to.clone());
                Some(Event::ItemMoved { item: item.key.clone(), from, to: to.clone(), run: None })
            }
        }
    }
}

fn has_old<'a>(mut labels: impl Iterator<Item = &'a String>, from: &str, to: Option<&String>) -> bool {
    labels.any(|label| same(label, from) && Some(label) != to)
}

impl Item {
    /// Sets the labels, and says so.
    fn set_labels(&mut self, labels: BTreeSet<String>) -> FieldChange {
        let text = |set: &BTreeSet<String>| {
            (!set.is_empty()).then(|| set.iter().cloned().collect::<Vec<_>>().join(", "))
        };
        let change = FieldChange { field: "labels", from: text(&self.labels), to: text(&labels) };
        self.labels = labels;
        change
    }
}

#[cfg(test)]
mod tests {
    use super::{Replacement, What};
    use crate::event::Event;
    use crate::feed::FeedEntry;
    use crate::ids::{Actor, ActorId, UserId};
    use crate::item::{Item, ItemType};
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
            let Some(Event::ItemChanged(_, told)) = work.apply(&mut item) else { panic!("nothing changed") };
            assert_eq!(told.from, Some(before.join(", ")));
            assert_eq!(item.labels.iter().map(String::as_str).collect::<Vec<_>>(), after);
            assert!(!work.concerns(&FeedEntry::of(&item, 1)));
            assert_eq!(work.apply(&mut item), None, "the second time changes nothing");
        }
    }

    #[test]
    fn items_leave_a_state_that_goes_and_no_other() {
        let work = replacement(What::State { from: "Doing".into(), to: "In progress".into() });
        let mut there = item(&[], "doing");
        let told = work.apply(&mut there);
        let (from, to) = ("doing".to_owned(), "In progress".to_owned());
        assert_eq!(told, Some(Event::ItemMoved { item: there.key.clone(), from, to, run: None }));
        assert_eq!(there.state, "In progress");
        assert!(!work.concerns(&FeedEntry::of(&item(&[], "Backlog"), 1)));
    }
}
