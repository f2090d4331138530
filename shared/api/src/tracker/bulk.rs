//! One change of many items (specification section 2.2).

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Item, ItemType, Priority, UpdateItem};
use crate::Problem;
use crate::patch::Patch;

/// Changes or moves many items (`POST …/projects/{key}/items/bulk`): give `change` or `state`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BulkChange {
    /// 1 to 100 items of the project, each with the version last read.
    pub items: Vec<BulkItem>,
    /// The fields to change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<BulkFields>,
    /// Name of the workflow state to move each item to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
}

/// An item to change.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BulkItem {
    /// Key of the item.
    pub key: String,
    /// The version last read.
    pub version: u64,
}

/// Fields that can be changed on many items at once.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BulkFields {
    /// New kind of work.
    #[serde(
        default,
        deserialize_with = "crate::patch::given",
        rename = "type",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "ItemType")]
    pub item_type: Option<ItemType>,
    /// New priority.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Priority")]
    pub priority: Option<Priority>,
    /// Replaces all labels. Not together with `addLabels` or `removeLabels`.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>")]
    pub labels: Option<Vec<String>>,
    /// Labels to add.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub add_labels: Vec<String>,
    /// Labels to remove.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remove_labels: Vec<String>,
    /// New estimate; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub estimate: Patch<f64>,
    /// New remaining effort; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub remaining: Patch<f64>,
    /// Id of a member or `@me`; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub assignee: Patch<String>,
    /// Key of an item of the same project; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub parent: Patch<String>,
    /// Whether it is blocked: something else must happen first.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub blocked: Option<bool>,
    /// Due day, from 1970 to 2999; `null` clears it.
    #[serde(default, deserialize_with = "crate::day::patch", skip_serializing_if = "Patch::is_keep")]
    pub due: Patch<Date>,
    /// New milestone: the id or name of an open one; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub milestone: Patch<String>,
}

/// The same change of one item.
impl From<BulkFields> for UpdateItem {
    fn from(fields: BulkFields) -> Self {
        Self {
            item_type: fields.item_type,
            priority: fields.priority,
            labels: fields.labels,
            add_labels: fields.add_labels,
            remove_labels: fields.remove_labels,
            estimate: fields.estimate,
            remaining: fields.remaining,
            assignee: fields.assignee,
            parent: fields.parent,
            blocked: fields.blocked,
            due: fields.due,
            milestone: fields.milestone,
            ..Self::default()
        }
    }
}

/// The result of each item.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkResult {
    /// One for each item, in the order of the request.
    pub results: Vec<BulkOutcome>,
}

/// The result of one item: either `item` or `problem`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkOutcome {
    /// Key as sent in the request.
    pub key: String,
    /// The item after the change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<Item>,
    /// The reason why it did not change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
}
