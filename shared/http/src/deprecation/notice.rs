//! What is said of something that will be dropped: as its schema says it, and as headers do.

use http::{HeaderMap, HeaderName, HeaderValue, header};
use jiff::civil::Date;
use jiff::fmt::rfc2822::DateTimePrinter;
use jiff::tz::TimeZone;
use serde_json::Value;

pub(super) const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");
pub(super) const SUNSET: HeaderName = HeaderName::from_static("sunset");
pub(super) const X_SUNSET: &str = "x-sunset";
pub(super) const X_MIGRATION: &str = "x-migration";

/// What the answers to a request say of what it used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Notice {
    pub(super) sunset: Option<Date>,
    pub(super) migration: Option<String>,
}

impl Notice {
    pub(super) fn read(part: impl Fn(&str) -> Option<Value>) -> Self {
        let text = |name| part(name).and_then(|value| value.as_str().map(str::to_owned));
        Self { sunset: text(X_SUNSET).and_then(|day| day.parse().ok()), migration: text(X_MIGRATION) }
    }

    pub(super) fn add_to(&self, headers: &mut HeaderMap) {
        headers.insert(DEPRECATION, HeaderValue::from_static("true"));
        if let Some(value) = self.sunset.and_then(http_date) {
            headers.insert(SUNSET, value);
        }
        let link = self.migration.as_ref().map(|address| format!("<{address}>; rel=\"deprecation\""));
        if let Some(value) = link.and_then(|link| link.parse().ok()) {
            headers.append(header::LINK, value);
        }
    }
}

/// The first moment of a day, as headers write it.
fn http_date(day: Date) -> Option<HeaderValue> {
    let at = day.to_zoned(TimeZone::UTC).ok()?.timestamp();
    DateTimePrinter::new().timestamp_to_rfc9110_string(&at).ok()?.parse().ok()
}
