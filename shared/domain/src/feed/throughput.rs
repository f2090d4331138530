//! What was created and resolved on which days, and how long it took.

use std::collections::BTreeMap;

use jiff::SignedDuration;
use jiff::civil::Date;
use roaring::RoaringBitmap;

use super::facets::Facet;
use super::index::FeedIndex;
use crate::ids::{MilestoneId, RunId};
use crate::item::ItemType;
use crate::run::RunStatus;

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
    /// What happened from one day to another, both included, with the items of a milestone or with all.
    pub fn throughput(&self, from: Date, until: Date, only: Option<MilestoneId>) -> Throughput {
        let nothing = RoaringBitmap::new();
        let only = only.map(|milestone| self.facets.milestone.get(&milestone).unwrap_or(&nothing));
        let meant = |slots: &RoaringBitmap| {
            only.map_or_else(|| self.whole(slots), |only| self.whole(&(slots & only)))
        };
        let counts = |facet: &Facet<Date>| -> BTreeMap<Date, u64> {
            let days = facet.range(from..=until);
            days.map(|(day, slots)| (*day, meant(slots).len())).filter(|(_, count)| *count > 0).collect()
        };
        let mut found = Throughput {
            created: counts(&self.facets.created),
            resolved: counts(&self.facets.resolved),
            ..Throughput::default()
        };
        for (_, slots) in self.facets.resolved.range(from..=until) {
            for entry in meant(slots).iter().filter_map(|slot| self.entry(slot)) {
                let Some(resolved) = entry.resolved_at else { continue };
                found.lead.push(resolved.duration_since(entry.created_at));
                found.cycle.extend(entry.started_at.map(|started| resolved.duration_since(started)));
            }
        }
        found
    }

    /// How long the results of runs waited until their items were resolved, of items that were resolved from a day on.
    pub fn reviews(&self, from: Date) -> impl Iterator<Item = (RunId, SignedDuration)> {
        let slots = self.facets.resolved.range(from..).flat_map(|(_, slots)| slots);
        slots.filter_map(|slot| self.entry(slot)).filter_map(|entry| {
            let run = entry.last_run.as_ref().filter(|run| run.status == RunStatus::Succeeded)?;
            let waited = entry.resolved_at?.duration_since(run.ended_at);
            (!waited.is_negative()).then_some((run.id, waited))
        })
    }

    /// Those of the slots that are not of subtasks.
    pub(super) fn whole(&self, slots: &RoaringBitmap) -> RoaringBitmap {
        match self.facets.item_type.get(&ItemType::Subtask) {
            Some(subtasks) => slots - subtasks,
            None => slots.clone(),
        }
    }
}
