//! How the work of a sprint went down, and up, day by day: told from what was recorded when items changed,
//! never from a sample that somebody had to take in time.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use serde::{Deserialize, Serialize};

use super::work::{Planned, Work};
use crate::workflow::Workflow;

/// A change of an item as far as a sprint cares, written in the commit of the change to the sprint's own
/// record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fact {
    /// When.
    pub at: Timestamp,
    /// The item's revision; facts of an item are in its order.
    pub revision: u64,
    /// Whether the item is in the sprint from then on.
    pub planned: bool,
    /// The item from then on.
    #[serde(flatten)]
    pub item: Planned,
}

/// The work in a sprint at some moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BurndownPoint {
    /// Day (UTC) that it stands for.
    pub day: Date,
    /// The moment: the sprint's start for the first point, else the end of the day, or now, or the sprint's end.
    pub at: Timestamp,
    /// The work.
    pub work: Work,
    /// Items that are in the sprint and were not at the point before.
    pub added: u64,
    /// Items that were in the sprint at the point before and are no longer.
    pub removed: u64,
}

/// Most days that a burndown shows: of a longer sprint, the last ones.
pub const MAX_DAYS: i64 = 400;

/// The burndown of a sprint from its start until now, or until its end.
pub fn burndown(
    facts: &[Fact],
    workflow: &Workflow,
    start: Timestamp,
    until: Timestamp,
) -> Vec<BurndownPoint> {
    let mut facts: Vec<&Fact> = facts.iter().collect();
    facts.sort_by_key(|fact| (fact.at, fact.item.number, fact.revision));
    let mut known = Known::default();
    let mut before = BTreeSet::new();
    let mut points = Vec::new();
    let mut rest = facts.into_iter().peekable();
    for (day, at) in moments(start, until) {
        while let Some(fact) = rest.next_if(|fact| fact.at <= at) {
            known.learn(fact);
        }
        let now: BTreeSet<u64> = known.planned().map(|item| item.number).collect();
        let first = points.is_empty();
        let count = |some: usize| if first { 0 } else { some as u64 };
        points.push(BurndownPoint {
            day,
            at,
            work: Work::of(known.planned(), workflow),
            added: count(now.difference(&before).count()),
            removed: count(before.difference(&now).count()),
        });
        before = now;
    }
    points
}

/// The start, then the last moment of each day, the last of them cut at `until`.
fn moments(start: Timestamp, until: Timestamp) -> Vec<(Date, Timestamp)> {
    let day_of = |at: Timestamp| at.to_zoned(TimeZone::UTC).date();
    let last = day_of(until.max(start));
    let earliest = last.checked_sub(MAX_DAYS.days()).unwrap_or(Date::MIN);
    let first = day_of(start).max(earliest);
    let end_of = |day: Date| {
        let midnight = day.tomorrow().and_then(|next| next.to_zoned(TimeZone::UTC));
        let end = midnight.map_or(Timestamp::MAX, |next| next.timestamp());
        end.checked_sub(1.nanosecond()).unwrap_or(end).min(until.max(start))
    };
    let days = std::iter::successors(Some(first), |day| day.tomorrow().ok()).take_while(|day| *day <= last);
    std::iter::once((day_of(start), start)).chain(days.map(|day| (day, end_of(day)))).collect()
}

/// What is known of the items at some moment.
#[derive(Default)]
struct Known<'a> {
    latest: BTreeMap<u64, &'a Fact>,
}

impl<'a> Known<'a> {
    /// Clocks of writers differ a little: an older revision tells nothing after a newer one.
    fn learn(&mut self, fact: &'a Fact) {
        let latest = self.latest.entry(fact.item.number).or_insert(fact);
        if latest.revision <= fact.revision {
            *latest = fact;
        }
    }

    fn planned(&self) -> impl Iterator<Item = &'a Planned> {
        self.latest.values().filter(|fact| fact.planned).map(|fact| &fact.item)
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::{Fact, MAX_DAYS, burndown};
    use crate::sprint::work::Planned;
    use crate::workflow::Workflow;

    fn at(text: &str) -> Timestamp {
        format!("2026-01-{text}:00Z").parse().unwrap()
    }

    fn fact(time: &str, number: u64, revision: u64, state: &str, remaining: f64) -> Fact {
        let state = state.to_owned();
        let item =
            Planned { number, subtask_of: None, state, estimate: Some(8.0), remaining: Some(remaining) };
        Fact { at: at(time), revision, planned: true, item }
    }

    #[test]
    fn every_day_tells_what_was_left_and_what_came_and_went() {
        let gone = Fact { planned: false, ..fact("07T10:00", 2, 4, "Backlog", 8.0) };
        let facts = [
            fact("01T09:00", 1, 2, "Backlog", 8.0),
            fact("01T09:00", 2, 2, "Backlog", 8.0),
            fact("05T12:00", 1, 3, "In progress", 5.0),
            fact("06T12:00", 3, 2, "Backlog", 8.0),
            fact("07T09:00", 1, 4, "Resolved", 5.0),
            gone,
            fact("07T23:59", 3, 2, "Backlog", 1.0),
            fact("08T12:00", 3, 3, "Backlog", 7.0),
        ];
        let points = burndown(&facts, &Workflow::default(), at("05T09:00"), at("08T11:00"));
        let lines: Vec<String> = points
            .iter()
            .map(|p| {
                let w = p.work;
                format!(
                    "{} {} left {} of {} +{} -{}",
                    p.day, p.at, w.remaining, w.estimate, p.added, p.removed
                )
            })
            .collect();
        insta::assert_snapshot!(lines.join("\n"));
    }

    #[test]
    fn a_very_long_sprint_shows_its_last_days() {
        let until = at("05T09:00") + jiff::SignedDuration::from_hours(24 * 1_000);
        let points = burndown(&[], &Workflow::default(), at("05T09:00"), until);
        assert_eq!(points.len() as i64, MAX_DAYS + 2);
        assert_eq!(points.last().unwrap().at, until);
    }
}
