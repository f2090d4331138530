//! Questions about many items: lists and counts.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Can;
use crate::Page;
use crate::factory::{Run, RunStatus};
use crate::identity::Actor;

/// Query of an item list (`GET …/projects/{key}/items`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemQuery {
    /// Filter terms separated by spaces, all of which must match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<String>,
    /// IANA name of the time zone whose days the filter means, such as `Europe/Berlin`; that of the account when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    /// Words that the key, title or labels contain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub q: Option<String>,
    /// `-updated` (default), `updated`, `key`, `-key`, `title`, `-title`, `priority`, `-priority`,
    /// `estimate`, `-estimate`, `created`, `-created`, `due`, `-due`, `resolved`, `-resolved`, `rank` (the manual
    /// order), `-rank`. Items without such a value come last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<String>,
    /// One-based page number; 1 when absent.
    #[serde(default, deserialize_with = "crate::page::clamped", skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "crate::page::any_integer")]
    pub page: Option<u32>,
    /// Entries per page; 50 when absent, at most 100.
    #[serde(default, deserialize_with = "crate::page::clamped", skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "crate::page::any_integer")]
    pub page_size: Option<u32>,
}

/// One page of a project's items.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ItemList")]
pub struct ItemList<T> {
    /// The page.
    #[serde(flatten)]
    pub page: Page<T>,
    /// What the caller may do with the project's items.
    pub can: Can,
    /// The live runs of the items of this page.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<Run>,
    /// The time zone whose days the filter means, where it names days.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
}

/// A run that ended, in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LastRun {
    /// Id.
    pub id: String,
    /// How it ended.
    pub status: RunStatus,
    /// The agent that worked.
    pub agent: Actor,
    /// When the harness started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub finished_at: Timestamp,
    /// The pull request that carries its work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pull_request: Option<String>,
}

/// One page of the items of an organization.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "OrgItemList")]
pub struct OrgItemList<T> {
    /// The page.
    #[serde(flatten)]
    pub page: Page<T>,
    /// What the caller may do with the items, by project key, for each project with items on this page.
    #[serde(default)]
    pub can: BTreeMap<String, Can>,
    /// The live runs of the items of this page.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<Run>,
    /// The time zone whose days the filter means, where it names days.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
}

/// Query of a table of items (`GET …/items.csv`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportQuery {
    /// Filter terms separated by spaces, all of which must match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<String>,
    /// IANA name of the time zone whose days the filter means, such as `Europe/Berlin`; that of the account when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    /// Words that the key, title, labels or description contain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub q: Option<String>,
    /// The order, as of the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<String>,
}

/// Query of the counts of items (`GET …/items/counts`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemCountQuery {
    /// Filter terms separated by spaces, all of which must match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<String>,
    /// IANA name of the time zone whose days the filter means, such as `Europe/Berlin`; that of the account when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    /// Words that the key, title or labels contain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub q: Option<String>,
    /// What to group by: `state` (default), `stateGroup`, `type`, `priority`, `assignee`, `label`, `sprint`,
    /// `milestone`, `parent`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// How many items match a filter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemCounts {
    /// All matching items.
    pub total: u64,
    /// By value, for values that items have. An item counts for each of its labels.
    pub groups: Vec<ItemGroup>,
    /// The time zone whose days the filter means, where it names days.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
}

/// Items that have a value in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemGroup {
    /// The value as filters write it; null for items without a value.
    pub value: Option<String>,
    /// Name to show, if it differs from the value, such as the name of an assignee.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How many items.
    pub count: u64,
}
