//! Days as a client writes them: `2026-11-28` and no other form of ISO 8601, as the document says.

use jiff::civil::Date;
use serde::{Deserialize, Deserializer};

use crate::Patch;

fn strict<E: serde::de::Error>(day: &str) -> Result<Date, E> {
    let digits = |part: &str, length| part.len() == length && part.bytes().all(|c| c.is_ascii_digit());
    let mut parts = day.splitn(3, '-');
    let parts = [parts.next(), parts.next(), parts.next()];
    let written = matches!(parts, [Some(year), Some(month), Some(day)]
        if digits(year, 4) && digits(month, 2) && digits(day, 2));
    let parsed = written.then(|| day.parse::<Date>());
    match parsed {
        Some(Ok(day)) => Ok(day),
        _ => Err(E::custom(format_args!("{day:?} is not a day; write it as 2026-11-28"))),
    }
}

/// Reads a day that may be absent or `null`.
pub(crate) fn optional<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Date>, D::Error> {
    Option::<String>::deserialize(deserializer)?.as_deref().map(strict).transpose()
}

/// Reads a day in a change; `null` clears it.
///
/// # Errors
/// Those of the deserializer; another form than `2026-11-28`.
pub fn patch<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Patch<Date>, D::Error> {
    Ok(optional(deserializer)?.map_or(Patch::Clear, Patch::Set))
}
