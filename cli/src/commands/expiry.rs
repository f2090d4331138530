//! A time as people say it: a day, a time, or so long from now or ago.

use jiff::{SignedDuration, Timestamp};

use crate::failure::Failure;
use crate::values::moment;

/// When something ends, or began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expiry {
    /// At this moment.
    At(Timestamp),
    /// So long from now, or ago.
    In(SignedDuration),
}

/// Reads a day, whose beginning in UTC counts, a time with an offset, or a number of days or hours (`90d`,
/// `12h`).
pub(crate) fn expiry(text: &str) -> Result<Expiry, String> {
    let wrong = || format!("{text:?} is not a time; write 2027-01-31, 2027-01-31T18:00:00Z, 90d or 12h");
    if let Ok(moment) = moment(text) {
        return Ok(Expiry::At(moment));
    }
    let unit = text.chars().next_back().ok_or_else(wrong)?;
    let hours_each = match unit {
        'd' => 24,
        'h' => 1,
        _ => return Err(wrong()),
    };
    let count: u32 = text[..text.len() - 1].parse().map_err(|_| wrong())?;
    Ok(Expiry::In(SignedDuration::from_hours(i64::from(count) * hours_each)))
}

impl Expiry {
    /// The moment, when it is `now`.
    ///
    /// # Errors
    /// It is beyond all calendars.
    pub(crate) fn after(self, now: Timestamp) -> Result<Timestamp, Failure> {
        match self {
            Self::At(moment) => Ok(moment),
            Self::In(duration) => now.checked_add(duration).map_err(|_| {
                Failure::rejected("--expires is too far away")
                    .hint("leave it out for a token that does not expire")
            }),
        }
    }

    /// The moment, when it was so long before `now`.
    ///
    /// # Errors
    /// It is before all calendars.
    pub(crate) fn before(self, now: Timestamp) -> Result<Timestamp, Failure> {
        match self {
            Self::At(moment) => Ok(moment),
            Self::In(duration) => now
                .checked_sub(duration)
                .map_err(|_| Failure::rejected("the time is too long ago").hint("write 90d, for instance")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::expiry;

    #[test]
    fn days_times_and_terms_are_read() {
        let now = "2026-03-01T10:00:00Z".parse().unwrap();
        for (text, moment) in [
            ("2027-01-31", "2027-01-31T00:00:00Z"),
            ("2027-01-31T18:00:00+02:00", "2027-01-31T16:00:00Z"),
            ("90d", "2026-05-30T10:00:00Z"),
            ("12h", "2026-03-01T22:00:00Z"),
        ] {
            assert_eq!(expiry(text).unwrap().after(now).unwrap().to_string(), moment, "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_told_what_is_one() {
        for text in ["", "tomorrow", "d", "-3d", "3w", "2027-02-30", "1.5d", "é"] {
            assert!(expiry(text).unwrap_err().contains("90d"), "{text:?}");
        }
        assert!(expiry("4294967295d").unwrap().after("2026-03-01T10:00:00Z".parse().unwrap()).is_err());
    }
}
