//! All that a page about an item shows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Can, Comment, HistoryEntry, Item, ItemLink, WorkflowState};
use crate::Page;
use crate::factory::Run;
use crate::identity::Actor;
use crate::rendered::Rendered;

/// Everything that a page about an item shows, in one answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ItemPage")]
pub struct ItemPage<T> {
    /// The item.
    pub item: Rendered<Item>,
    /// What the caller may do with it now, by role and credential.
    pub can: Can,
    /// The states that it may move to.
    pub moves: Vec<WorkflowState>,
    /// The first 100 comments, oldest first.
    pub comments: Page<Rendered<Comment>>,
    /// The last 50 entries of its history, newest first.
    pub history: Page<HistoryEntry>,
    /// Its last 20 runs, newest first.
    pub runs: Page<Run>,
    /// The first 100 items that belong to it, with an empty `body`.
    pub subtasks: Page<T>,
    /// Other items that it is linked to, as in `…/links`.
    #[serde(default)]
    pub links: Vec<ItemLink>,
    /// How many links it has to items in projects that you cannot see.
    #[serde(default)]
    pub hidden_links: usize,
    /// Who watches it, by name.
    pub watchers: Vec<Actor>,
}
