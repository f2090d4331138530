//! Filters: one comparison for equality, as the providers send it (RFC 7644, section 3.4.2.2).

use svc_app::identity::directory::Filter;
use svc_http::scim::ScimError;

/// `userName eq "ada@example.com"`, `displayName eq "Staff"` or `externalId eq "42"`.
pub(super) fn filter(text: &str) -> Result<Filter, ScimError> {
    let (attribute, value) = equality(text).ok_or_else(|| {
        ScimError::bad(
            "invalidFilter",
            "filters are: userName, displayName or externalId, then eq and a text",
        )
    })?;
    match attribute.to_ascii_lowercase().as_str() {
        "username" | "displayname" => Ok(Filter::Named(value)),
        "externalid" => Ok(Filter::External(value)),
        _ => Err(ScimError::bad("invalidFilter", "filters are about userName, displayName or externalId")),
    }
}

/// The attribute and the value of `attribute eq "value"`.
pub(super) fn equality(text: &str) -> Option<(&str, String)> {
    let (attribute, rest) = text.trim().split_once(char::is_whitespace)?;
    let (operator, value) = rest.trim_start().split_once(char::is_whitespace)?;
    if !operator.eq_ignore_ascii_case("eq") {
        return None;
    }
    // Values are written as JSON.
    let value: String = serde_json::from_str(value.trim()).ok()?;
    let attribute = attribute.rsplit_once(':').map_or(attribute, |(_, name)| name);
    Some((attribute, value))
}
