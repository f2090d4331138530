//! Times as they are shown: on a terminal in the person's own time, the recent ones by how long ago; everywhere
//! else in UTC, to the second.

use std::sync::OnceLock;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::fresh;

/// Whether times are shown to a person. Chosen once, when the program starts.
static TO_A_PERSON: OnceLock<bool> = OnceLock::new();

/// How times are shown from now on.
pub(super) fn choose(to_a_person: bool) {
    // Only the first choice counts, and there is only one.
    let _ = TO_A_PERSON.set(to_a_person);
}

/// A time.
pub(crate) fn when(time: Timestamp) -> String {
    if TO_A_PERSON.get().copied().unwrap_or(false) {
        return to_a_person(time, fresh::now(), &TimeZone::system());
    }
    time.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}

fn to_a_person(time: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let seconds = now.duration_since(time).as_secs();
    let ago = |count: i64, unit: &str| {
        let plural = if count == 1 { "" } else { "s" };
        format!("{count} {unit}{plural} ago")
    };
    match seconds {
        0..60 => "just now".to_owned(),
        60..3_600 => ago(seconds / 60, "minute"),
        3_600..86_400 => ago(seconds / 3_600, "hour"),
        86_400..604_800 => ago(seconds / 86_400, "day"),
        _ => time.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string(),
    }
}

#[cfg(test)]
mod tests {
    use jiff::tz::{TimeZone, offset};

    use super::{to_a_person, when};

    #[test]
    fn scripts_are_told_the_time_in_utc() {
        assert_eq!(when("2026-01-01T02:00:00.75+02:00".parse().unwrap()), "2026-01-01 00:00:00 UTC");
    }

    #[test]
    fn people_are_told_how_long_ago_or_their_own_time() {
        let now = "2026-03-10T12:00:00Z".parse().unwrap();
        let zone = TimeZone::fixed(offset(2));
        for (time, text) in [
            ("2026-03-10T11:59:30Z", "just now"),
            ("2026-03-10T11:58:59Z", "1 minute ago"),
            ("2026-03-10T09:00:00Z", "3 hours ago"),
            ("2026-03-08T12:00:00Z", "2 days ago"),
            ("2026-03-01T23:30:00Z", "2026-03-02 01:30"),
            ("2026-03-11T08:00:00Z", "2026-03-11 10:00"),
        ] {
            assert_eq!(to_a_person(time.parse().unwrap(), now, &zone), text, "{time}");
        }
    }
}
