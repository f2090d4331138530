//! All that a page about an item shows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Can, Comment, HistoryEntry, Item, ItemLink, WorkflowState};
use crate::Page;
use crate::factory::Run;
use crate::identity::Actor;
use crate::rendered::Rendered;

/// All that a page about an item shows, in one answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ItemPage")]
pub struct ItemPage<T> {
    /// The item.
    pub item: Rendered<Item>,
    /// What the caller may do with it, with their role and credential and as the project is now.
    pub can: Can,
    /// The states that it may move to from its own.
    pub moves: Vec<WorkflowState>,
    /// The first 100 comments, oldest first.
    pub comments: Page<Rendered<Comment>>,
    /// The last 50 entries of its history, newest first.
    pub history: Page<HistoryEntry>,
    /// Its last 20 runs, newest first.
    pub runs: Page<Run>,
    /// The first 100 items that belong to it, with an empty `body`.
    pub subtasks: Page<T>,
    /// Other items that it is linked with, as `…/links` answers them.
    #[serde(default)]
    pub links: Vec<ItemLink>,
    /// How many links it has with items of projects that you do not see.
    #[serde(default)]
    pub hidden_links: usize,
    /// Who watches it, by name.
    pub watchers: Vec<Actor>,
}
