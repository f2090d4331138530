//! What runs the tools, a file per group: each reads its arguments, calls one use case of the REST API and says
//! its answer in few words.

pub(crate) mod change;
pub(crate) mod comments;
pub(crate) mod context;
pub(crate) mod items;
pub(crate) mod people;
pub(crate) mod planning;
pub(crate) mod refinement;
pub(crate) mod runs;
pub(crate) mod search;
pub(crate) mod wiki;

use std::fmt::Display;
use std::str::FromStr;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use svc_app::App;
use svc_domain::filter::Day;
use svc_domain::refusal::Refusal;

/// A name in an argument.
///
/// # Errors
/// What it should be.
pub(crate) fn named<T: FromStr<Err: Display>>(argument: &str, text: &str) -> Result<T, Refusal> {
    text.trim().parse().map_err(|error| Refusal::invalid(argument, format!("{text:?}: {error}.")))
}

/// A day in an argument, as `2026-11-28`, `friday` or `+2w`, which counts from today in UTC.
///
/// # Errors
/// When it is none.
pub(crate) fn day(argument: &str, text: &str, app: &App) -> Result<Date, Refusal> {
    let today = app.now().to_zoned(TimeZone::UTC).date();
    let day = Day::named(text.trim()).map(|day| day.on(today));
    day.ok_or_else(|| Refusal::invalid(argument, "Give a day such as 2026-01-31, tomorrow, friday or +2w."))
}

/// An id in an argument.
///
/// # Errors
/// When it is none.
pub(crate) fn id<T: FromStr>(argument: &str, text: &str) -> Result<T, Refusal> {
    text.trim().parse().map_err(|_| Refusal::invalid(argument, "This is not an id."))
}
