//! Rows of recurring schedules.

use svc_domain::ids::{OrgId, ProjectKey, ScheduleId};
use svc_domain::schedule::Schedules;

use super::{project_pk, sortable};
use crate::{Key, KeyOf};

/// The recurring schedules of a project.
pub fn schedules(org: OrgId, key: &ProjectKey) -> KeyOf<Schedules> {
    KeyOf::new(project_pk(org, key), "SCHEDULES")
}

/// Partition of what a schedule did.
pub fn schedule_firings_pk(org: OrgId, key: &ProjectKey, schedule: ScheduleId) -> String {
    format!("DONE#{org}#{key}#{schedule}")
}

/// What a schedule did at a due time, or when a person fired it: the one never stands in the way of the other.
pub fn schedule_firing(
    org: OrgId,
    key: &ProjectKey,
    schedule: ScheduleId,
    millis: i64,
    by_hand: bool,
) -> Key {
    let cause = if by_hand { "hand" } else { "due" };
    Key::new(schedule_firings_pk(org, key, schedule), format!("{}#{cause}", sortable(millis)))
}

/// Partition of the schedules of all organizations, by when they are due.
pub const DUE_PK: &str = "DUE";

/// A schedule that is due at a time.
pub fn due_schedule(millis: i64, org: OrgId, key: &ProjectKey, schedule: ScheduleId) -> Key {
    Key::new(DUE_PK, format!("{}#{org}#{key}#{schedule}", sortable(millis)))
}
