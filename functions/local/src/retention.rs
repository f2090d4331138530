//! Which of the backups in a directory are kept: the newest of each of the last days, weeks and so on. Pure.

use std::collections::BTreeSet;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::tz::Offset;

/// How backups are named after the time of their beginning, in UTC: `20261129T061500Z`.
const NAME: &str = "%Y%m%dT%H%M%SZ";

/// What `--keep` says: `7d,4w` keeps the newest backup of each of the last 7 days that have one, and of 4 weeks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retention(Vec<(usize, Period)>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Period {
    Hour,
    Day,
    Week,
    Month,
    Year,
}

impl FromStr for Retention {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} does not say what to keep; write it as 7d,4w,12m (h, d, w, m, y)");
        let rule = |part: &str| {
            let (count, unit) = part.trim().split_at_checked(part.trim().len().checked_sub(1)?)?;
            let period = match unit {
                "h" => Period::Hour,
                "d" => Period::Day,
                "w" => Period::Week,
                "m" => Period::Month,
                "y" => Period::Year,
                _ => return None,
            };
            Some((count.parse().ok().filter(|count| *count > 0)?, period))
        };
        text.split(',').map(|part| rule(part).ok_or_else(wrong)).collect::<Result<_, _>>().map(Self)
    }
}

impl Period {
    /// The number of the period that a time is in. Weeks begin on Monday.
    fn of(self, at: Timestamp) -> i64 {
        let day = at.as_second().div_euclid(86_400);
        let date = Offset::UTC.to_datetime(at).date();
        match self {
            Self::Hour => at.as_second().div_euclid(3_600),
            Self::Day => day,
            Self::Week => (day + 3).div_euclid(7),
            Self::Month => i64::from(date.year()) * 12 + i64::from(date.month()),
            Self::Year => i64::from(date.year()),
        }
    }
}

impl Retention {
    /// Which of these backups go. The newest one never does.
    pub(crate) fn outdated(&self, backups: &BTreeSet<Timestamp>) -> Vec<Timestamp> {
        let mut kept: BTreeSet<Timestamp> = backups.last().copied().into_iter().collect();
        for (count, period) in &self.0 {
            let mut seen = BTreeSet::new();
            for at in backups.iter().rev() {
                if seen.len() < *count && seen.insert(period.of(*at)) {
                    kept.insert(*at);
                }
            }
        }
        backups.difference(&kept).copied().collect()
    }
}

/// The name of a backup that begins at a time.
pub(crate) fn name(at: Timestamp) -> String {
    at.strftime(NAME).to_string()
}

/// When the backup of a name began; nothing for other names.
pub(crate) fn time_of(text: &str) -> Option<Timestamp> {
    let at = jiff::civil::DateTime::strptime(NAME, text).ok()?;
    let at = Offset::UTC.to_timestamp(at).ok()?;
    (name(at) == text).then_some(at)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use jiff::{SignedDuration, Timestamp};

    use super::{Retention, name, time_of};

    #[test]
    fn a_name_is_read_as_it_is_written() {
        let at: Timestamp = "2026-11-29T06:15:00Z".parse().unwrap();
        assert_eq!(name(at), "20261129T061500Z");
        assert_eq!(time_of("20261129T061500Z"), Some(at));
        for other in ["", "20261129T061500Z.old", "20261329T061500Z", "2026-11-29T06:15:00Z", "monday"] {
            assert_eq!(time_of(other), None, "{other}");
        }
    }

    #[test]
    fn what_is_kept_is_said_in_periods() {
        for wrong in ["", "d", "0d", "7", "7x", "-1d", "7d,", "7d;4w", "é"] {
            assert!(wrong.parse::<Retention>().is_err(), "{wrong}");
        }
        "24h, 7d,4w,12m,3y".parse::<Retention>().unwrap();
    }

    #[test]
    fn the_newest_of_each_period_stays() {
        let keep: Retention = "3d,2w".parse().unwrap();
        // Every six hours for 60 days, as a server would be backed up that runs.
        let begun: Timestamp = "2026-09-01T00:30:00Z".parse().unwrap();
        let mut there = BTreeSet::new();
        for n in 0..240 {
            there.insert(begun + SignedDuration::from_hours(6 * n));
            for gone in keep.outdated(&there) {
                there.remove(&gone);
            }
            assert!(there.contains(&(begun + SignedDuration::from_hours(6 * n))), "the newest one stays");
        }
        let left: Vec<String> = there.iter().map(|at| at.to_string()).collect();
        // 30 October 2026 is a Friday: the week before ended on Sunday, the 25th.
        assert_eq!(
            left,
            ["2026-10-25T18:30:00Z", "2026-10-28T18:30:00Z", "2026-10-29T18:30:00Z", "2026-10-30T18:30:00Z"]
        );
        assert!(keep.outdated(&BTreeSet::new()).is_empty());
    }
}
