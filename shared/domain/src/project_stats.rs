//! Numbers of a project's work: what was created and resolved each week, and how long it took.

use jiff::civil::Date;
use jiff::{SignedDuration, ToSpan as _};

use crate::feed::Throughput;

/// Most weeks of an answer.
pub const MAX_WEEKS: u32 = 52;

/// What happened in a week.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Week {
    /// Its Monday.
    pub begins: Date,
    /// How many items were created.
    pub created: u64,
    /// How many were resolved.
    pub resolved: u64,
}

/// How long items took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Durations {
    /// How many items.
    pub items: u64,
    /// Half of them took no longer.
    pub median: SignedDuration,
    /// 85 of 100 took no longer.
    pub p85: SignedDuration,
    /// 95 of 100 took no longer.
    pub p95: SignedDuration,
}

/// The Monday with which the last so many weeks begin, of which the last is that of this day.
pub fn first_monday(today: Date, weeks: u32) -> Date {
    let days = i64::from(today.weekday().to_monday_zero_offset());
    let weeks = i64::from(weeks.clamp(1, MAX_WEEKS) - 1);
    today.saturating_sub((days + 7 * weeks).days())
}

/// The day before a Monday, then the last day of each week from that Monday on, the last of which is the day that it is.
pub fn ends_of_weeks(monday: Date, until: Date) -> Vec<Date> {
    let sundays = monday.saturating_sub(1.day()).series(1.week()).take_while(|end| *end < until);
    sundays.chain([until]).collect()
}

/// What happened in each week from a Monday to a day, also in those in which nothing did.
pub fn weeks(found: &Throughput, monday: Date, until: Date) -> Vec<Week> {
    let begins = monday.series(1.week()).take_while(|begins| *begins <= until);
    let of = |begins: Date| {
        let days = || begins..begins.saturating_add(1.week());
        Week {
            begins,
            created: found.created.range(days()).map(|(_, count)| count).sum(),
            resolved: found.resolved.range(days()).map(|(_, count)| count).sum(),
        }
    };
    begins.map(of).collect()
}

/// How long items took; `None` where there are none.
pub fn durations(mut all: Vec<SignedDuration>) -> Option<Durations> {
    all.sort_unstable();
    let at = |percent: usize| all.get((all.len() * percent).div_ceil(100).saturating_sub(1)).copied();
    Some(Durations { items: all.len() as u64, median: at(50)?, p85: at(85)?, p95: at(95)? })
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
    use jiff::civil::{Date, date};

    use super::{Durations, durations, ends_of_weeks, first_monday, weeks};
    use crate::feed::Throughput;

    #[test]
    fn weeks_begin_on_mondays() {
        let monday = date(2026, 11, 16);
        for day in 16..=22 {
            assert_eq!(first_monday(date(2026, 11, day), 1), monday, "{day}");
        }
        assert_eq!(first_monday(date(2026, 11, 22), 2), date(2026, 11, 9));
        assert_eq!(first_monday(date(2026, 11, 22), 0), monday);
        assert_eq!(first_monday(Date::MIN, 52), Date::MIN);
    }

    #[test]
    fn weeks_end_on_sundays_and_today() {
        let days =
            |until| ends_of_weeks(date(2026, 11, 2), until).iter().map(|day| day.day()).collect::<Vec<_>>();
        assert_eq!(days(date(2026, 11, 18)), [1, 8, 15, 18]);
        assert_eq!(days(date(2026, 11, 15)), [1, 8, 15]);
        assert_eq!(days(date(2026, 11, 2)), [1, 2]);
    }

    #[test]
    fn every_week_is_there_with_what_happened_in_it() {
        let found = Throughput {
            created: [(date(2026, 11, 2), 1), (date(2026, 11, 8), 2), (date(2026, 11, 9), 4)].into(),
            resolved: [(date(2026, 11, 20), 3)].into(),
            ..Throughput::default()
        };
        let weeks = weeks(&found, date(2026, 11, 2), date(2026, 11, 20));
        let numbers: Vec<_> =
            weeks.iter().map(|week| (week.begins.day(), week.created, week.resolved)).collect();
        assert_eq!(numbers, [(2, 3, 0), (9, 4, 0), (16, 0, 3)]);
    }

    #[test]
    fn a_percentile_is_a_time_that_an_item_took() {
        let hours =
            |all: &[i64]| durations(all.iter().map(|hours| SignedDuration::from_hours(*hours)).collect());
        assert_eq!(hours(&[]), None);
        let of = |items, median, p85, p95| Durations {
            items,
            median: SignedDuration::from_hours(median),
            p85: SignedDuration::from_hours(p85),
            p95: SignedDuration::from_hours(p95),
        };
        assert_eq!(hours(&[5]), Some(of(1, 5, 5, 5)));
        assert_eq!(hours(&[9, 1]), Some(of(2, 1, 9, 9)));
        assert_eq!(hours(&(1..=100).rev().collect::<Vec<_>>()), Some(of(100, 50, 85, 95)));
    }
}
