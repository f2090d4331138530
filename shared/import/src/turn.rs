//! Found items as items of the project that they go to: its words for the source's, and its rules of what belongs to what.

use std::collections::{BTreeSet, HashSet};

use crate::exports::Miss;
use svc_api::records::ItemRecord;
use svc_api::tracker::ItemType;

use super::found::FoundItem;
use super::gathered::Gathered;
use super::mapping::Proposed;

/// Turns found items into records.
pub(crate) struct Turn<'a> {
    proposed: &'a Proposed,
    /// Items that others belong to.
    holders: HashSet<String>,
    /// Items whose parent would close a circle, by number.
    circles: BTreeSet<usize>,
}

impl<'a> Turn<'a> {
    /// How the items that were found are turned; `circles` are those whose parent would close one.
    pub(crate) fn new(proposed: &'a Proposed, gathered: &Gathered, circles: BTreeSet<usize>) -> Self {
        Self { proposed, holders: gathered.holders(), circles }
    }

    /// The record of the item with this number.
    pub(crate) fn item(
        &self,
        number: usize,
        found: FoundItem,
        gathered: &Gathered,
        misses: &mut Vec<Miss>,
    ) -> ItemRecord {
        let mut miss = |kind: &str, id: &str, reason: &str| {
            misses.push(Miss {
                kind: kind.to_owned(),
                id: id.to_owned(),
                reason: reason.to_owned(),
                text: None,
            });
        };
        let FoundItem { mut item, kind, priority } = found;
        item.state = self.proposed.state(&item.state);
        item.priority = self.proposed.priority(priority.as_deref());
        item.parent = gathered.parent(number).map(str::to_owned);
        if self.circles.contains(&number) && item.parent.take().is_some() {
            miss("parent", &item.id, "the items belong to each other in a circle, which is cut here");
        }
        let item_type = self.proposed.item_type(kind.as_deref());
        item.item_type = match item_type {
            Some(ItemType::Subtask) if item.parent.is_none() => {
                miss("type", &item.id, "a subtask has a parent; without one it is a task");
                Some(ItemType::Task)
            }
            Some(ItemType::Subtask) if self.holders.contains(&item.id) => {
                miss("type", &item.id, "nothing belongs to a subtask; with items of its own it is a task");
                Some(ItemType::Task)
            }
            Some(ItemType::Epic) if item.parent.take().is_some() => {
                miss("parent", &item.id, "an epic has no parent");
                Some(ItemType::Epic)
            }
            item_type => item_type,
        };
        item
    }
}

#[cfg(test)]
mod tests {
    use crate::exports::ImportMapping;
    use jiff::Timestamp;
    use svc_api::tracker::{ItemType, StateGroup, WorkflowState};

    use super::Turn;
    use crate::found::FoundItem;
    use crate::gathered::Gathered;
    use crate::mapping::propose;

    #[test]
    fn items_keep_the_rules_of_what_belongs_to_what() {
        let mut gathered = Gathered::new("test").unwrap();
        for (id, kind, parent) in [
            ("epic", "Epic", Some("story")),
            ("story", "Story", None),
            ("alone", "Sub-task", None),
            ("sub", "Sub-task", Some("10")),
            ("holder", "Sub-task", Some("story")),
            ("below", "Bug", Some("holder")),
            ("x", "Task", Some("y")),
            ("y", "Task", Some("x")),
            ("self", "Task", Some("self")),
        ] {
            let mut found = FoundItem::new(id, id, "Done", Timestamp::UNIX_EPOCH);
            (found.kind, found.item.parent) = (Some(kind.into()), parent.map(str::to_owned));
            gathered.item(found, None).unwrap();
        }
        gathered.alias("10", "story");
        let states = [WorkflowState::new("Closed", StateGroup::Closed)];
        let proposed = propose(&mut gathered, &states, &ImportMapping::default()).unwrap();
        let (order, circles) = gathered.order();
        let (turn, mut misses) = (Turn::new(&proposed, &gathered, circles), Vec::new());
        let found = gathered.items.read_in(order.clone()).unwrap();
        let items: Vec<_> = order
            .into_iter()
            .zip(found)
            .map(|(number, found)| turn.item(number, found.unwrap(), &gathered, &mut misses))
            .collect();
        let shape = |id: &str| {
            let item = items.iter().find(|item| item.id == id).unwrap();
            (item.item_type, item.parent.as_deref())
        };
        assert_eq!(shape("epic"), (Some(ItemType::Epic), None));
        assert_eq!(shape("alone"), (Some(ItemType::Task), None));
        assert_eq!(shape("sub"), (Some(ItemType::Subtask), Some("story")));
        assert_eq!(shape("holder"), (Some(ItemType::Task), Some("story")));
        assert_eq!(shape("below"), (Some(ItemType::Bug), Some("holder")));
        assert_eq!([shape("x").1, shape("y").1].iter().flatten().count(), 1, "one of the two is on its own");
        assert_eq!(shape("self").1, None);
        assert!(items.iter().all(|item| item.state == "Closed"));
        assert_eq!(misses.len(), 5);
    }
}
