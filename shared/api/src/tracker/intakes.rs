//! Intakes of a project: secret addresses at which monitoring and forms make items.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::identity::Actor;
use crate::patch::Patch;

/// Which fields of a delivery are what: paths such as `alert.name` or `items.0.id`. Without one, usual names are looked
/// for. Webhooks of Alertmanager and Grafana need none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct IntakeMapping {
    /// The title; otherwise `title`, `subject`, `summary` or `name`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The description, Markdown; otherwise `body`, `description`, `message` or `text`, or all fields as a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Labels: a list, or a text with commas. Only those count that the project defines. None otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<String>,
    /// What is the same for reports of the same thing; otherwise `key`, `fingerprint` or `id`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// An intake of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Intake {
    /// Id.
    pub id: String,
    /// Version; a change must carry it.
    pub version: u64,
    /// Name, unique in the project ignoring case.
    pub name: String,
    /// Id of the ticket template of its items.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    /// Which fields are what.
    #[serde(default)]
    pub mapping: IntakeMapping,
    /// Whether a repeated report is a comment; otherwise it is only counted.
    pub comments_repeats: bool,
    /// Whether a report that something is resolved is a comment.
    pub comments_resolved: bool,
    /// Whether such a report moves the item to the first resolved state.
    pub closes_resolved: bool,
    /// Whether it takes nothing.
    pub disabled: bool,
    /// Who saved it last: it makes items as long as they are an Admin of the project.
    pub saved_by: Actor,
    /// When its address was made.
    pub rotated_at: Timestamp,
}

/// An intake with its address, which is shown only once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct IntakeWithAddress {
    /// Where to send reports with `POST`. Whoever has it can make items.
    #[schemars(example = &"https://svc.example.com/api/v1/intake/svx_k3Jd…")]
    pub url: String,
    /// The intake.
    pub intake: Intake,
}

/// Creates an intake (`POST …/projects/{key}/intakes`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({ "name": "Alertmanager", "template": "Bug report", "closesResolved": true }))]
pub struct NewIntake {
    /// 1 to 80 characters on one line.
    pub name: String,
    /// Id or name of the ticket template of its items.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    /// Which fields are what.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mapping: Option<IntakeMapping>,
    /// Whether a repeated report is a comment; not when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comments_repeats: Option<bool>,
    /// Whether a report that something is resolved is a comment; so when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comments_resolved: Option<bool>,
    /// Whether such a report moves the item to the first resolved state; not when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closes_resolved: Option<bool>,
}

/// Changes an intake (`PATCH …/projects/{key}/intakes/{id}`). Absent fields stay as they are.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({ "version": 1, "disabled": true }))]
pub struct UpdateIntake {
    /// The version last read.
    pub version: u64,
    /// New name.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub name: Option<String>,
    /// Id or name of another ticket template; `null` for none.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub template: Patch<String>,
    /// Which fields are what, in place of all that was mapped.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "IntakeMapping")]
    pub mapping: Option<IntakeMapping>,
    /// Whether a repeated report is a comment.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub comments_repeats: Option<bool>,
    /// Whether a report that something is resolved is a comment.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub comments_resolved: Option<bool>,
    /// Whether such a report moves the item to the first resolved state.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub closes_resolved: Option<bool>,
    /// Disables or enables it.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub disabled: Option<bool>,
}

/// A report (`POST /intake/{address}`): any JSON object, or the same as a form.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(example = serde_json::json!({ "title": "Disk of db-1 is full", "key": "db-1/disk", "labels": ["db"] }))]
pub struct IntakeDelivery(pub Map<String, Value>);

/// What became of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct IntakeReceipt {
    /// New items.
    pub created: u32,
    /// Reports of things that have an open item.
    pub repeated: u32,
    /// Reports by which such a thing is over.
    pub resolved: u32,
}
