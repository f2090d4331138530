//! What hangs on an item: its pull requests, its links with other items and its subtasks (specification section 2.2).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ItemType, Link, Priority, StateGroup};

/// How an item relates to the item that it is linked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum LinkKind {
    /// The other item waits until this one is resolved or closed.
    Blocks,
    /// This item waits until the other one is resolved or closed.
    BlockedBy,
    /// The items are related.
    Relates,
    /// This item duplicates the other one.
    Duplicates,
    /// The other item duplicates this one.
    DuplicatedBy,
    /// A kind that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// Links a pull request, or another item (`POST …/items/{key}/links`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({ "type": "blockedBy", "item": "PRJ-12" }))]
pub struct NewLink {
    /// Address of the pull request: http or https, at most 1,900 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// How the item relates to the other item. Not with `url`.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<LinkKind>,
    /// Key of that item, in any project of the organization.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"PRJ-12")]
    pub item: Option<String>,
}

/// Names the link to remove (`DELETE …/items/{key}/links`): by `url`, or by `type` and `item`; or those that you do not
/// see, by `hidden`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LinkQuery {
    /// Address of the pull request, as it was linked.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub url: String,
    /// How the item relates to the other item. Not with `url`.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"blockedBy")]
    pub kind: Option<LinkKind>,
    /// Key of the other item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"PRJ-12")]
    pub item: Option<String>,
    /// Removes the links to items in projects that you cannot see.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

/// The links of an item (`GET …/items/{key}/links`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Links {
    /// Other items, by type and key. Items in projects that you cannot see are left out.
    pub items: Vec<ItemLink>,
    /// How many links there are to items in projects that you cannot see.
    #[serde(default)]
    pub hidden: usize,
    /// Pull requests.
    pub pull_requests: Vec<Link>,
}

/// A link from an item to another item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemLink {
    /// How the item relates to the other item.
    #[serde(rename = "type")]
    pub kind: LinkKind,
    /// Key of the other item.
    #[schemars(example = &"PRJ-12")]
    pub item: String,
    /// Its kind of work.
    pub item_type: ItemType,
    /// Its title.
    pub title: String,
    /// Its state.
    pub state: String,
    /// Group of that state: `backlog` and `active` are open.
    pub state_group: StateGroup,
}

/// Creates a subtask (`POST …/items/{key}/subtasks`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewSubtask {
    /// 1 to 300 characters on one line.
    pub title: String,
    /// Estimated effort, not negative.
    pub estimate: f64,
    /// Description, Markdown, at most 100,000 characters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub body: String,
    /// Priority; medium when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// At most 50 labels of 1 to 60 characters without commas; single spaces may separate words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// Id of a member, or `@me`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<String>,
}

/// Moves an item to another project (`POST …/items/{key}/transfer`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TransferItem {
    /// The version last read.
    pub version: u64,
    /// Key of the project to move it to.
    #[schemars(example = &"WEB")]
    pub project: String,
    /// Whether all that belongs to it moves along, which is usual. If false, only its subtasks do, and its other children
    /// stay without a parent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with_children: Option<bool>,
}
