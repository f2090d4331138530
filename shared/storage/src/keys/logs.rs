//! The audit log and the journal of an organization, and the audit log of the instance: lines by time, and the ids of such lines.

use std::fmt::Display;

use svc_domain::ids::OrgId;

use super::sortable;
use crate::Key;

/// Partition of an organization's audit log.
pub fn audit_pk(org: OrgId) -> String {
    format!("AUDIT#{org}")
}

/// A line of an organization's audit log: `at` is its time, `id` keeps lines of one moment apart.
pub fn audit(org: OrgId, at_millis: i64, id: impl Display) -> Key {
    Key::new(audit_pk(org), format!("{}#{id}", sortable(at_millis)))
}

/// Partition of the audit log of the instance.
pub const INSTANCE_AUDIT_PK: &str = "INSTANCEAUDIT";

/// A line of the audit log of the instance, as [`audit`].
pub fn instance_audit(at_millis: i64, id: impl Display) -> Key {
    Key::new(INSTANCE_AUDIT_PK, format!("{}#{id}", sortable(at_millis)))
}

/// The id by which callers know the line at this place, `<time>#<name>`: `<time>-<name>`.
pub fn line_id(place: &str) -> String {
    place.replacen('#', "-", 1)
}

/// The place of the line of this id; `None` if no line can have it.
pub fn line_place(id: &str) -> Option<String> {
    let (time, name) = id.split_once('-')?;
    let is_time = time.len() == 15 && time.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.';
    let is_name = (1..=84).contains(&name.len()) && name.bytes().all(is_plain);
    (is_time && is_name).then(|| format!("{time}#{name}"))
}

/// Partition of an organization's journal.
pub fn journal_pk(org: OrgId) -> String {
    format!("JOURNAL#{org}")
}

/// A line of an organization's journal: `at` is its time, `id` keeps lines of one moment apart.
pub fn journal_line(org: OrgId, at_millis: i64, id: impl Display) -> Key {
    Key::new(journal_pk(org), format!("{}#{id}", sortable(at_millis)))
}
