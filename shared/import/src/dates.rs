//! Times and days as other trackers write them, and whether their days or their months come first.
//!
//! `3/4/2026` is decided by the whole file: one `27/4/2026` in it says that days come first. A file without such a date
//! needs `--dates`. A time without an offset is one of the time zone that the import was told.

use crate::exports::DateOrder;
use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{Offset, TimeZone};

use crate::failure::{About, Failure};

/// Reads the times of one file.
#[derive(Clone, Debug)]
pub(crate) struct Times {
    /// The order of numbers, where the file has dates that need one.
    pub(crate) order: Option<DateOrder>,
    /// The time zone of times without an offset.
    pub(crate) zone: TimeZone,
}

impl Times {
    /// A moment. A day alone is its beginning.
    pub(crate) fn time(&self, text: &str) -> Option<Timestamp> {
        let written = read(text)?;
        let at = DateTime::from_parts(written.day.date(self.order)?, written.time);
        let zone = written.offset.map_or_else(|| self.zone.clone(), Offset::to_time_zone);
        zone.to_timestamp(at).ok()
    }

    /// A day, as it is written.
    pub(crate) fn day(&self, text: &str) -> Option<Date> {
        read(text)?.day.date(self.order)
    }
}

/// What the dates of a file say about their order.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    day_first: Option<String>,
    month_first: Option<String>,
    either: Option<String>,
}

impl Evidence {
    /// Takes a cell into account.
    pub(crate) fn see(&mut self, text: &str) {
        let Some(Written { day: Day::Numbers { first, second, .. }, .. }) = read(text) else { return };
        let place = match (first > 12, second > 12) {
            (true, false) => &mut self.day_first,
            (false, true) => &mut self.month_first,
            (false, false) if first != second => &mut self.either,
            _ => return,
        };
        place.get_or_insert_with(|| text.trim().to_owned());
    }

    /// The order of the file: the one that was given, else the one that its dates have.
    ///
    /// # Errors
    /// No date decides it, or two dates contradict each other.
    pub(crate) fn decide(&self, given: Option<DateOrder>) -> Result<Option<DateOrder>, Failure> {
        if given.is_some() {
            return Ok(given);
        }
        let undecided = |what: String| {
            let failure = Failure::rejected(what).about(About::Dates);
            Err(failure.hint("say which comes first with `--dates dmy` or `--dates mdy`"))
        };
        match (&self.day_first, &self.month_first, &self.either) {
            (Some(_), None, _) => Ok(Some(DateOrder::Dmy)),
            (None, Some(_), _) => Ok(Some(DateOrder::Mdy)),
            (Some(day), Some(month), _) => undecided(format!(
                "the dates contradict each other: in {day} the day is first, in {month} the month"
            )),
            (None, None, Some(text)) => {
                undecided(format!("{text} can be read in two ways, and no date in the file decides it"))
            }
            (None, None, None) => Ok(None),
        }
    }
}

/// A time as it is written.
struct Written {
    day: Day,
    time: Time,
    offset: Option<Offset>,
}

enum Day {
    Known(Date),
    /// Two numbers of which one is the month.
    Numbers {
        first: i8,
        second: i8,
        year: i16,
    },
}

impl Day {
    fn date(&self, order: Option<DateOrder>) -> Option<Date> {
        match *self {
            Self::Known(date) => Some(date),
            Self::Numbers { first, second, year } => {
                let day_first = first > 12 || (second <= 12 && order == Some(DateOrder::Dmy));
                if first != second && first <= 12 && second <= 12 && order.is_none() {
                    return None;
                }
                let (day, month) = if day_first { (first, second) } else { (second, first) };
                Date::new(year, month, day).ok()
            }
        }
    }
}

/// Reads `2026-09-27T09:00:00Z`, `27/Sep/26 9:00 AM`, `6/21/2025 16:14`, `Sun Sep 27 2026 09:00:00 GMT+0000 (UTC)` and
/// what is like them.
fn read(text: &str) -> Option<Written> {
    let (mut day, mut time, mut offset, mut afternoon) = (None, None, None, None);
    let (mut month, mut numbers) = (None, Vec::new());
    let text = text.trim();
    let text = text.split_once('(').map_or(text, |(before, _)| before);
    for token in text.split([' ', ',', '\u{a0}', '\u{202f}']).filter(|token| !token.is_empty()) {
        let (date, rest) = match token.split_once('T') {
            Some((date, clock)) if date.starts_with(|c: char| c.is_ascii_digit()) => (date, Some(clock)),
            _ => (token, None),
        };
        let lower = date.to_ascii_lowercase();
        if let Some(found) = written_day(date) {
            day = Some(found);
        } else if let Some(is_afternoon) = meridiem(&lower) {
            afternoon = Some(is_afternoon);
        } else if date.contains(':') {
            (time, offset) = clock(date, offset)?;
        } else if let Some(found) = month_of(&lower) {
            month = Some(found);
        } else if let Ok(number) = lower.trim_end_matches(['.', 't', 'h', 's', 'n', 'd', 'r']).parse::<i16>()
            && !lower.starts_with(['+', '-'])
        {
            numbers.push(number);
        } else if lower == "z" || lower.starts_with("utc") || lower.starts_with("gmt") {
            offset = Some(shift(lower.trim_start_matches(char::is_alphabetic)).unwrap_or(Offset::UTC));
        } else if lower.starts_with(['+', '-']) {
            offset = Some(shift(&lower)?);
        } else if !is_weekday(&lower) {
            return None;
        }
        if let Some(rest) = rest {
            (time, offset) = clock(rest, offset)?;
        }
    }
    if let (None, Some(month), [first, second]) = (&day, month, &numbers[..]) {
        let (number, year) = if *first > 31 { (second, first) } else { (first, second) };
        day = Some(Day::Known(Date::new(whole_year(*year), month, i8::try_from(*number).ok()?).ok()?));
    }
    Some(Written { day: day?, time: half(time, afternoon)?, offset })
}

/// A time of the half of the day that it is said to be in.
fn half(time: Option<Time>, afternoon: Option<bool>) -> Option<Time> {
    let time = time.unwrap_or_default();
    let hour = match (afternoon, time.hour()) {
        (Some(true), hour @ 1..=11) => hour + 12,
        (Some(false), 12) => 0,
        (_, hour) => hour,
    };
    Time::new(hour, time.minute(), time.second(), time.subsec_nanosecond()).ok()
}

/// A day of three parts: `2026-09-27`, `27/Sep/26`, `27.9.2026`.
fn written_day(token: &str) -> Option<Day> {
    let separator = ['/', '-', '.'].into_iter().find(|c| token.matches(*c).count() == 2)?;
    let parts: Vec<&str> = token.split(separator).collect();
    let &[first, second, third] = &parts[..] else { return None };
    let number = |part: &str| part.parse::<i16>().ok().filter(|number| *number >= 0);
    let small = |part: &str| part.parse::<i8>().ok().filter(|number| *number > 0);
    if first.len() == 4 {
        return Date::new(number(first)?, small(second)?, small(third)?).ok().map(Day::Known);
    }
    let year = whole_year(number(third)?);
    if let Some(month) = month_of(&second.to_lowercase()) {
        return Date::new(year, month, small(first)?).ok().map(Day::Known);
    }
    let (first, second) = (small(first)?, small(second)?);
    match separator {
        '.' => Date::new(year, second, first).ok().map(Day::Known),
        _ => Some(Day::Numbers { first, second, year }),
    }
}

fn whole_year(year: i16) -> i16 {
    match year {
        0..70 => year + 2000,
        70..100 => year + 1900,
        _ => year,
    }
}

/// `16:14`, `9:00AM`, `09:00:00.000+0000`: the time, and the offset where it has one, else the one before.
fn clock(token: &str, before: Option<Offset>) -> Option<(Option<Time>, Option<Offset>)> {
    let lower = token.to_ascii_lowercase();
    let end = lower.find(|c: char| !matches!(c, '0'..='9' | ':' | '.')).unwrap_or(lower.len());
    let (digits, rest) = lower.split_at(end);
    let mut parts = digits.split(':');
    let hour = parts.next()?.parse().ok()?;
    let minute = parts.next()?.parse().ok()?;
    let seconds = parts.next().unwrap_or("0");
    let (second, fraction) = seconds.split_once('.').unwrap_or((seconds, ""));
    let fraction: String = fraction.chars().chain("000000000".chars()).take(9).collect();
    let time = Time::new(hour, minute, second.parse().ok()?, fraction.parse().ok()?).ok()?;
    match rest {
        "" => Some((Some(time), before)),
        "z" => Some((Some(time), Some(Offset::UTC))),
        rest => match meridiem(rest) {
            Some(afternoon) => Some((half(Some(time), Some(afternoon)), before)),
            None => Some((Some(time), Some(shift(rest)?))),
        },
    }
}

/// `+02:00`, `-0730`, `+02`.
fn shift(text: &str) -> Option<Offset> {
    let (sign, digits) = match text.split_at_checked(1)? {
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let digits: String = digits.chars().filter(|c| *c != ':').collect();
    let number = |part: &str| if part.is_empty() { Some(0) } else { part.parse::<i32>().ok() };
    let (hours, minutes) = digits.split_at_checked(2).unwrap_or((&digits, ""));
    Offset::from_seconds(sign * (number(hours)? * 3600 + number(minutes)? * 60)).ok()
}

/// Whether it is the afternoon.
fn meridiem(text: &str) -> Option<bool> {
    match text {
        "am" | "a.m." => Some(false),
        "pm" | "p.m." => Some(true),
        _ => None,
    }
}

/// The month of an English name or its first letters.
fn month_of(text: &str) -> Option<i8> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let index = MONTHS.iter().position(|month| text.starts_with(month))?;
    text.chars().all(|c| c.is_alphabetic() || c == '.').then(|| i8::try_from(index + 1).unwrap_or(1))
}

fn is_weekday(text: &str) -> bool {
    ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].iter().any(|day| text.starts_with(day))
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::{DateOrder, Evidence, Times};

    fn times(order: Option<DateOrder>) -> Times {
        Times { order, zone: TimeZone::UTC }
    }

    #[test]
    fn times_of_every_source_are_read() {
        for (text, read) in [
            ("2026-09-27T09:00:00Z", "2026-09-27T09:00:00Z"),
            ("2026-09-27T09:00:00.250+0200", "2026-09-27T07:00:00.25Z"),
            ("2026-09-27 09:00:00 UTC", "2026-09-27T09:00:00Z"),
            ("2026-09-27 09:00:00", "2026-09-27T09:00:00Z"),
            ("2026-09-27", "2026-09-27T00:00:00Z"),
            ("27/Sep/26 9:00 AM", "2026-09-27T09:00:00Z"),
            ("27/Sep/26 12:05 AM", "2026-09-27T00:05:00Z"),
            ("27/Sep/2026 9:00 PM", "2026-09-27T21:00:00Z"),
            ("27.9.2026 16:14", "2026-09-27T16:14:00Z"),
            ("21/6/2025 16:14", "2025-06-21T16:14:00Z"),
            ("6/21/2025 4:14\u{202f}PM", "2025-06-21T16:14:00Z"),
            ("Sun Sep 27 2026 09:00:00 GMT+0200 (Central European Summer Time)", "2026-09-27T07:00:00Z"),
            ("Sep 27, 2026 9:00 AM", "2026-09-27T09:00:00Z"),
            ("27 September 2026", "2026-09-27T00:00:00Z"),
        ] {
            assert_eq!(times(None).time(text).map(|time| time.to_string()).as_deref(), Some(read), "{text}");
        }
        for text in ["", "soon", "31/31/2026", "3/4/2026", "2026-02-30", "12"] {
            assert_eq!(times(None).time(text), None, "{text}");
        }
    }

    #[test]
    fn a_time_without_an_offset_is_one_of_the_zone() {
        let zone = TimeZone::get("America/New_York").unwrap();
        let time = Times { order: None, zone }.time("27/Sep/26 9:00 AM").unwrap();
        assert_eq!(time.to_string(), "2026-09-27T13:00:00Z");
    }

    #[test]
    fn the_whole_file_decides_what_comes_first() {
        let decide = |dates: &[&str], given| {
            let mut evidence = Evidence::default();
            dates.iter().for_each(|date| evidence.see(date));
            evidence.decide(given)
        };
        assert_eq!(decide(&["3/4/2026", "", "27/4/2026 10:00"], None).unwrap(), Some(DateOrder::Dmy));
        assert_eq!(decide(&["3/4/2026", "4/27/2026 10:00"], None).unwrap(), Some(DateOrder::Mdy));
        assert_eq!(decide(&["2026-09-27", "27/Sep/26", "5/5/2026"], None).unwrap(), None);
        assert_eq!(decide(&["3/4/2026"], Some(DateOrder::Mdy)).unwrap(), Some(DateOrder::Mdy));
        assert!(decide(&["3/4/2026"], None).unwrap_err().title.contains("3/4/2026 can be read in two ways"));
        assert!(decide(&["27/4/2026", "4/27/2026"], None).unwrap_err().title.contains("contradict"));
        let day = |order| times(Some(order)).day("3/4/2026").unwrap().to_string();
        assert_eq!((day(DateOrder::Dmy), day(DateOrder::Mdy)), ("2026-04-03".into(), "2026-03-04".into()));
    }
}
