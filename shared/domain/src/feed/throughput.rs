//! What was created and resolved on which days, and how long it took.

use std::collections::BTreeMap;

use jiff::SignedDuration;
use jiff::civil::Date;
use roaring::RoaringBitmap;

use super::facets::Facet;
use super::index::FeedIndex;
use crate::item::ItemType;

/// What happened in a span of days. Subtasks count as part of their items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Throughput {
    /// How many items were created, by day.
    pub created: BTreeMap<Date, u64>,
    /// How many were resolved, by day.
    pub resolved: BTreeMap<Date, u64>,
    /// How long each of those took from its creation.
    pub lead: Vec<SignedDuration>,
    /// How long each of those took since it left the backlog, where that is known.
    pub cycle: Vec<SignedDuration>,
}

impl FeedIndex {
    /// What happened from one day to another, both included.
    pub fn throughput(&self, from: Date, until: Date) -> Throughput {
        let counts = |facet: &Facet<Date>| -> BTreeMap<Date, u64> {
            let days = facet.range(from..=until);
            days.map(|(day, slots)| (*day, self.whole(slots).len())).filter(|(_, count)| *count > 0).collect()
        };
        let mut found = Throughput {
            created: counts(&self.facets.created),
            resolved: counts(&self.facets.resolved),
            ..Throughput::default()
        };
        for (_, slots) in self.facets.resolved.range(from..=until) {
            for entry in self.whole(slots).iter().filter_map(|slot| self.entry(slot)) {
                let Some(resolved) = entry.resolved_at else { continue };
                found.lead.push(resolved.duration_since(entry.created_at));
                found.cycle.extend(entry.started_at.map(|started| resolved.duration_since(started)));
            }
        }
        found
    }

    /// Those of the slots that are not of subtasks.
    fn whole(&self, slots: &RoaringBitmap) -> RoaringBitmap {
        match self.facets.item_type.get(&ItemType::Subtask) {
            Some(subtasks) => slots - subtasks,
            None => slots.clone(),
        }
    }
}
