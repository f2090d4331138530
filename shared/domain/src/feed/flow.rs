//! How many items there were at the end of some days, how many of them were being worked on and how many were done.
//!
//! Told from what items say today: one that was deleted, or resolved and opened again, counts as if it had always been so.

use jiff::SignedDuration;
use jiff::civil::Date;
use jiff::tz::Offset;
use roaring::RoaringBitmap;

use super::facets::Facet;
use super::index::FeedIndex;
use super::text::fold;
use crate::ids::MilestoneId;

/// Where the items stood at the end of a day, and how long those took that were resolved since the day before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Not begun.
    pub backlog: u64,
    /// Begun, and not done.
    pub active: u64,
    /// Done.
    pub done: u64,
    /// How long those that were done after the last of these days took since they left the backlog.
    pub cycle: Vec<SignedDuration>,
}

impl FeedIndex {
    /// Where the items, or those of a milestone, stood at the end of each of some rising days. Subtasks count as part of
    /// their items. Items in one of the states named by `over` that do not say when they were resolved are not counted.
    pub fn flow<'a>(
        &self,
        days: &[Date],
        only: Option<MilestoneId>,
        over: impl Iterator<Item = &'a str>,
    ) -> Vec<Standing> {
        let mut all = self.whole(&self.facets.all);
        if let Some(milestone) = only {
            all &= self.facets.milestone.get(&milestone).cloned().unwrap_or_default();
        }
        for state in over {
            if let Some(there) = self.facets.state.get(&*fold(state)) {
                all -= there - self.facets.resolved.present();
            }
        }
        let created = running(&self.facets.created, &all, days);
        let done = running(&self.facets.resolved, &all, days);
        let mut found: Vec<Standing> =
            created.iter().zip(&done).map(|(created, done)| standing(*created, *done)).collect();
        self.count_begun(&all, days, &mut found);
        found
    }

    /// Moves those that had begun from the backlog to what was active. Only items that are open, or were done in this
    /// time, are looked at one by one.
    fn count_begun(&self, all: &RoaringBitmap, days: &[Date], found: &mut [Standing]) {
        let Some(first) = days.first() else { return };
        let mut lookable = all - self.facets.resolved.present();
        for (_, slots) in self.facets.resolved.range(*first..) {
            lookable |= slots & all;
        }
        for entry in lookable.iter().filter_map(|slot| self.entry(slot)) {
            let Some(started) = entry.started_at else { continue };
            let begun = day_of(started);
            let done = entry.resolved_at.map(day_of);
            for (day, standing) in days.iter().zip(found.iter_mut()) {
                if begun <= *day && done.is_none_or(|done| done > *day) {
                    standing.active += 1;
                    standing.backlog = standing.backlog.saturating_sub(1);
                }
            }
            let Some(resolved) = entry.resolved_at else { continue };
            let at = days.partition_point(|day| *day < day_of(resolved));
            if at > 0
                && let Some(standing) = found.get_mut(at)
            {
                standing.cycle.push(resolved.duration_since(started));
            }
        }
    }
}

const fn standing(created: u64, done: u64) -> Standing {
    Standing { backlog: created.saturating_sub(done), active: 0, done, cycle: Vec::new() }
}

fn day_of(at: jiff::Timestamp) -> Date {
    Offset::UTC.to_datetime(at).date()
}

/// How many of the slots have a value up to each day.
fn running(facet: &Facet<Date>, all: &RoaringBitmap, days: &[Date]) -> Vec<u64> {
    let mut counts = vec![0; days.len()];
    for (day, slots) in facet.range(..) {
        if let Some(count) = counts.get_mut(days.partition_point(|end| end < day)) {
            *count += slots.intersection_len(all);
        }
    }
    let mut sum = 0;
    counts.iter_mut().for_each(|count| {
        sum += *count;
        *count = sum;
    });
    counts
}
