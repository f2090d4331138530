//! The days that a filter and the command line name: a date, or one that is reckoned from today.

use std::fmt::{self, Display, Formatter};

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan as _};

use super::MAX_DAYS;

/// The days of the week, and their names in a filter: the first three letters will do.
const WEEK: [(&str, Weekday); 7] = [
    ("monday", Weekday::Monday),
    ("tuesday", Weekday::Tuesday),
    ("wednesday", Weekday::Wednesday),
    ("thursday", Weekday::Thursday),
    ("friday", Weekday::Friday),
    ("saturday", Weekday::Saturday),
    ("sunday", Weekday::Sunday),
];

/// A day, in the zone of the person that names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Day {
    /// This one.
    On(Date),
    /// So many days after the day on which is asked.
    FromToday(i16),
    /// So many weeks after it.
    WeeksFromToday(i16),
    /// So many months after it.
    MonthsFromToday(i16),
    /// The next such day of the week; today where it is one.
    Next(Weekday),
    /// The last such day of the week; today where it is one.
    Last(Weekday),
}

impl Day {
    /// Names of the days of the week.
    pub(super) fn week() -> impl Iterator<Item = &'static str> {
        WEEK.iter().map(|(name, _)| *name)
    }

    /// Reads a day as `2026-01-31`, by its distance from today as `-7d`, `+2w` or `+1m`, or by name. A day of the week is
    /// the next one.
    pub fn named(text: &str) -> Option<Self> {
        let names = [("today", 0), ("yesterday", -1), ("tomorrow", 1)];
        if let Some((_, days)) = names.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)) {
            return Some(Self::FromToday(*days));
        }
        let called = |name: &str| name.eq_ignore_ascii_case(text) || name[..3].eq_ignore_ascii_case(text);
        if let Some((_, weekday)) = WEEK.iter().find(|(name, _)| called(name)) {
            return Some(Self::Next(*weekday));
        }
        if text.starts_with(['+', '-']) {
            return distant(text);
        }
        let written =
            text.len() == 10 && text.split('-').map(str::len).eq([4, 2, 2]) && text.split('-').all(digits);
        written.then(|| text.parse().ok().map(Self::On)).flatten()
    }

    /// The same day for something that lies in the past: of a day of the week, the last one.
    pub fn past(self) -> Self {
        match self {
            Self::Next(weekday) => Self::Last(weekday),
            other => other,
        }
    }

    /// The day that it is when it is asked for on this one.
    pub fn on(self, today: Date) -> Date {
        let after = |span: Span| today.saturating_add(span);
        match self {
            Self::On(day) => day,
            Self::FromToday(days) => after(days.days()),
            Self::WeeksFromToday(weeks) => after(weeks.weeks()),
            Self::MonthsFromToday(months) => after(months.months()),
            Self::Next(weekday) => after(today.weekday().until(weekday).days()),
            Self::Last(weekday) => after((-today.weekday().since(weekday)).days()),
        }
    }
}

fn digits(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_digit())
}

/// A day by its distance from today, with its sign.
fn distant(text: &str) -> Option<Day> {
    let (number, unit) = text.get(1..)?.split_at_checked(text.len().checked_sub(2)?)?;
    let count: i16 = Some(number).filter(|number| digits(number))?.parse().ok()?;
    let count = Some(count).filter(|count| *count <= MAX_DAYS)?;
    let count = if text.starts_with('-') { -count } else { count };
    match unit {
        "d" | "D" => Some(Day::FromToday(count)),
        "w" | "W" => Some(Day::WeeksFromToday(count)),
        "m" | "M" => Some(Day::MonthsFromToday(count)),
        _ => None,
    }
}

impl Display for Day {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::On(day) => day.fmt(f),
            Self::FromToday(days) => write!(f, "{days:+}d"),
            Self::WeeksFromToday(weeks) => write!(f, "{weeks:+}w"),
            Self::MonthsFromToday(months) => write!(f, "{months:+}m"),
            Self::Next(weekday) | Self::Last(weekday) => {
                let name = WEEK.iter().find(|(_, known)| known == weekday).map_or("", |(name, _)| &name[..3]);
                f.write_str(name)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Day;

    #[test]
    fn days_are_reckoned_from_today() {
        let friday = "2026-01-30".parse().unwrap();
        for (text, meant, past) in [
            ("2026-01-31", "2026-01-31", "2026-01-31"),
            ("today", "2026-01-30", "2026-01-30"),
            ("Tomorrow", "2026-01-31", "2026-01-31"),
            ("yesterday", "2026-01-29", "2026-01-29"),
            ("friday", "2026-01-30", "2026-01-30"),
            ("sat", "2026-01-31", "2026-01-24"),
            ("Monday", "2026-02-02", "2026-01-26"),
            ("thursday", "2026-02-05", "2026-01-29"),
            ("+3d", "2026-02-02", "2026-02-02"),
            ("-1W", "2026-01-23", "2026-01-23"),
            ("+2w", "2026-02-13", "2026-02-13"),
            ("+1m", "2026-02-28", "2026-02-28"),
            ("-9999m", "1192-10-30", "1192-10-30"),
        ] {
            let day = Day::named(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(day.on(friday).to_string(), meant, "{text}");
            assert_eq!(day.past().on(friday).to_string(), past, "{text}");
            assert!(day.to_string().len() <= text.len(), "{text} grew to {day}");
            assert_eq!(Day::named(&day.to_string()), Some(day), "{text}");
        }
        let none = [
            "", "+", "+d", "3d", "+3", "+3x", "someday", "+-3d", "+10000d", "é", "+é", "+3é", "fr",
            "2026-1-1",
        ];
        for text in none {
            assert_eq!(Day::named(text), None, "{text}");
        }
        let last = jiff::civil::Date::MAX;
        assert_eq!(Day::named("+9999m").unwrap().on(last), last, "there is no day after the last");
    }
}
