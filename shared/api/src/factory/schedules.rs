//! Recurring schedules of a project and what they did.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Harness;
use crate::identity::Actor;
use crate::patch::Patch;
use crate::tracker::ItemType;

/// Creates an item and hands it to an agent at each due time of a cron expression.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Schedule {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// Cron expression.
    pub cron: String,
    /// IANA name of the time zone.
    pub time_zone: String,
    /// Id of the playbook of its runs.
    pub playbook: String,
    /// Id of the agent of its runs; the project's default when absent.
    #[serde(default)]
    pub agent: Option<String>,
    /// Id of the runner for its runs; any runner when absent.
    #[serde(default)]
    pub runner: Option<String>,
    /// Harness of its runs; the playbook's when absent.
    #[serde(default)]
    pub harness: Option<Harness>,
    /// Type of its items.
    #[serde(rename = "type")]
    pub item_type: ItemType,
    /// Title of its items.
    pub title: String,
    /// Description of its items.
    pub body: String,
    /// Labels of its items.
    pub labels: Vec<String>,
    /// Whether it is paused.
    pub paused: bool,
    /// Why the service paused it, in a sentence.
    #[serde(default)]
    pub paused_reason: Option<String>,
    /// The next three due times; none while it is paused.
    pub next_runs: Vec<Timestamp>,
    /// Key of the last item that it created.
    #[serde(default)]
    pub last_item: Option<String>,
    /// Why its last firing created no item, in a sentence; `null` if it created one, and after each change of the
    /// schedule.
    #[serde(default)]
    pub last_skipped_reason: Option<String>,
    /// Who saved it last. Its runs start with the rights that this person has when they start.
    pub saved_by: Actor,
    /// Current version.
    pub version: u64,
}

/// Creates a schedule (`POST …/schedules`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({
    "name": "Dependencies", "cron": "0 6 * * MON", "timeZone": "Europe/Berlin", "playbook": "Implement",
    "type": "task", "title": "Update dependencies ({date})"
}))]
pub struct NewSchedule {
    /// Name: 1 to 80 characters on one line.
    pub name: String,
    /// Five fields: minute, hour, day of the month, month, day of the week. Due times must be at least five minutes
    /// apart.
    pub cron: String,
    /// IANA name of a time zone; UTC when absent. If the clock skips a time, it is due that much later; a time that
    /// occurs twice is due once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    /// Id or name of a playbook of the project.
    pub playbook: String,
    /// Id or name of an agent; the project's default when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Id or name of the runner for its runs; any runner when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner: Option<String>,
    /// Harness of its runs; the playbook's when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub harness: Option<Harness>,
    /// Type of its items; not subtask.
    #[serde(rename = "type")]
    pub item_type: ItemType,
    /// Title of its items. `{date}`, `{time}` and `{week}` stand for the due time.
    pub title: String,
    /// Description of its items, at most 4,000 characters; may contain the same placeholders as the title.
    #[serde(default)]
    pub body: String,
    /// Labels of its items.
    #[serde(default)]
    pub labels: Vec<String>,
    /// Whether it is paused from the start.
    #[serde(default)]
    pub paused: bool,
}

/// Changes a schedule (`PATCH …/schedules/{id}`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateSchedule {
    /// The version last read.
    pub version: u64,
    /// New name.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub name: Option<String>,
    /// New cron expression.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub cron: Option<String>,
    /// New time zone.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub time_zone: Option<String>,
    /// Id or name of another playbook.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub playbook: Option<String>,
    /// Id or name of another agent; `null` for the project's default.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub agent: Patch<String>,
    /// Id or name of another runner; `null` for any.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub runner: Patch<String>,
    /// Another harness; `null` for the playbook's.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub harness: Patch<Harness>,
    /// New type of its items.
    #[serde(
        default,
        rename = "type",
        deserialize_with = "crate::patch::given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "ItemType")]
    pub item_type: Option<ItemType>,
    /// New title of its items.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub title: Option<String>,
    /// New description of its items.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub body: Option<String>,
    /// New labels of its items.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>")]
    pub labels: Option<Vec<String>>,
    /// Pauses or resumes it.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub paused: Option<bool>,
}

/// What a schedule did at a due time, or when a person fired it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScheduleFiring {
    /// The due time, or when a person fired it.
    pub at: Timestamp,
    /// The first due time that passed without a firing before this one.
    #[serde(default)]
    pub missed_since: Option<Timestamp>,
    /// Who fired it by hand.
    #[serde(default)]
    pub fired_by: Option<Actor>,
    /// Key of the item that it created.
    #[serde(default)]
    pub item: Option<String>,
    /// Id of the run that it started; `null` if the firing was skipped.
    #[serde(default)]
    pub run: Option<String>,
    /// The reason for skipping it, in a sentence.
    #[serde(default)]
    pub skipped_reason: Option<String>,
}

/// Previews the due times of a cron expression (`POST …/schedule-preview`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PreviewSchedule {
    /// Cron expression.
    pub cron: String,
    /// IANA name of a time zone; UTC when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
}

/// When a cron expression is due.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SchedulePreview {
    /// The next three due times.
    pub next_runs: Vec<Timestamp>,
}
