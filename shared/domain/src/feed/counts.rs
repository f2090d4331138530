//! How many items that match have each value of a field: the heads of the columns and sections of a view.

use std::collections::BTreeMap;

use roaring::RoaringBitmap;

use super::facets::Facet;
use super::index::FeedIndex;
use super::request::ListRequest;
use crate::word::word_enum;
use crate::workflow::StateGroup;

word_enum! {
    /// What items are grouped by.
    GroupBy {
        /// Workflow state.
        State = "state",
        /// Group of the workflow state.
        StateGroup = "stateGroup",
        /// Kind of work.
        Type = "type",
        /// Priority.
        Priority = "priority",
        /// Who they are assigned to.
        Assignee = "assignee",
        /// Labels: an item counts in each of its own.
        Label = "label",
        /// Sprint.
        Sprint = "sprint",
        /// Milestone.
        Milestone = "milestone",
        /// The item that they belong to.
        Parent = "parent",
    }
}

/// Items that have a value in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The value as filters write it; `None` for items that have none.
    pub value: Option<String>,
    /// What people call it, where that is something else.
    pub name: Option<String>,
    /// How many items.
    pub count: u64,
}

impl FeedIndex {
    /// How many items match, and how many of them have each value that any has, in the order of the values; those
    /// that have none come last. The page of the request does not matter.
    pub fn counts(&self, request: &ListRequest<'_>, by: GroupBy) -> (u64, Vec<Group>) {
        let hits = self.hits(request);
        let groups = match by {
            GroupBy::State => self.named(&self.facets.state, &hits, |entry| (entry.state.clone(), None)),
            GroupBy::StateGroup => self.state_groups(&hits, request),
            GroupBy::Type => valued(&self.facets.item_type, &hits, ToString::to_string),
            GroupBy::Priority => valued(&self.facets.priority, &hits, ToString::to_string),
            GroupBy::Assignee => self.named(&self.facets.assignee, &hits, |entry| {
                let assignee = entry.assignee.as_ref();
                (assignee.map(|of| of.id.to_string()).unwrap_or_default(), assignee.map(|of| of.name.clone()))
            }),
            GroupBy::Label => self.labels(&hits),
            GroupBy::Sprint => valued(&self.facets.sprint, &hits, Clone::clone),
            GroupBy::Milestone => valued(&self.facets.milestone, &hits, ToString::to_string),
            GroupBy::Parent => valued(&self.facets.parent, &hits, ToString::to_string),
        };
        (hits.len(), groups)
    }

    /// Groups that one of their items tells the name of.
    fn named<K: Ord>(
        &self,
        facet: &Facet<K>,
        hits: &RoaringBitmap,
        name: impl Fn(&super::FeedEntry) -> (String, Option<String>),
    ) -> Vec<Group> {
        let of = |(_, slots): (&K, &RoaringBitmap)| {
            let entry = slots.min().and_then(|slot| self.entry(slot))?;
            let (value, name) = name(entry);
            group(Some(value), name, slots.intersection_len(hits))
        };
        facet.range(..).filter_map(of).chain(without(facet, hits)).collect()
    }

    fn labels(&self, hits: &RoaringBitmap) -> Vec<Group> {
        let written = self.label_counts();
        let of = |((_, slots), (name, _)): ((&String, &RoaringBitmap), (String, u64))| {
            group(Some(name), None, slots.intersection_len(hits))
        };
        let labels = self.facets.label.range(..).zip(written).filter_map(of);
        labels.chain(without(&self.facets.label, hits)).collect()
    }

    fn state_groups(&self, hits: &RoaringBitmap, request: &ListRequest<'_>) -> Vec<Group> {
        let mut counts: BTreeMap<StateGroup, u64> = BTreeMap::new();
        for (state, slots) in self.facets.state.range(..) {
            let group = request.context.workflow.group_of(state).unwrap_or(StateGroup::Backlog);
            *counts.entry(group).or_default() += slots.intersection_len(hits);
        }
        counts.into_iter().filter_map(|(of, count)| group(Some(of.to_string()), None, count)).collect()
    }
}

fn valued<K: Ord>(facet: &Facet<K>, hits: &RoaringBitmap, value: impl Fn(&K) -> String) -> Vec<Group> {
    let of = |(key, slots): (&K, &RoaringBitmap)| group(Some(value(key)), None, slots.intersection_len(hits));
    facet.range(..).filter_map(of).chain(without(facet, hits)).collect()
}

/// The items that have no value.
fn without<K: Ord>(facet: &Facet<K>, hits: &RoaringBitmap) -> Option<Group> {
    group(None, None, hits.len() - facet.present().intersection_len(hits))
}

fn group(value: Option<String>, name: Option<String>, count: u64) -> Option<Group> {
    (count > 0).then_some(Group { value, name, count })
}
