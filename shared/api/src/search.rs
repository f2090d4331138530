//! Search of a project and of an organization (specification section 4.1, rule 1).

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::identity::Actor;

/// Query of a search (`GET …/projects/{key}/search`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectSearchQuery {
    /// What to search, separated by commas: `items`, `comments`, `pages`; everything when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"items")]
    pub types: Option<String>,
    /// Words, a phrase in quotes, or an item's key or number. May be empty for `types=items`; at most 500
    /// characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"login \"time out\"")]
    pub q: Option<String>,
    /// Maximum number of results, 1 to 50, clamped; 20 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Whether to count what there is, too: up to 500 texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub totals: Option<bool>,
}

/// Query of a search (`GET /orgs/{slug}/search`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrgSearchQuery {
    /// What to search, separated by commas: `items`, `comments`, `pages`, `projects`, `people`; everything
    /// when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub types: Option<String>,
    /// Words, a phrase in quotes, or an item's key; at most 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"login \"time out\"")]
    pub q: Option<String>,
    /// Keys of the projects to search, separated by commas; all projects when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"PRJ,OPS")]
    pub projects: Option<String>,
    /// Maximum number of results, 1 to 50, clamped; 20 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Whether to count what there is, too: up to 500 texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub totals: Option<bool>,
}

/// Search results, best first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchResults {
    /// The results.
    pub results: Vec<SearchResult>,
    /// How many there are of each type that was looked for, where `totals=true` asked for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub totals: Option<SearchTotals>,
}

/// How many results there are of each type; absent types were not looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchTotals {
    /// Items.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<SearchTotal>,
    /// Comments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comments: Option<SearchTotal>,
    /// Pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<SearchTotal>,
    /// Projects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub projects: Option<SearchTotal>,
    /// People.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people: Option<SearchTotal>,
}

/// How many results there are of a type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchTotal {
    /// How many were counted.
    #[schemars(example = &55)]
    pub count: u64,
    /// Whether there may be more: `false` while no more than 500 texts of all types hold the words.
    pub at_least: bool,
}

/// One search result. Its fields depend on its type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchResult {
    /// Type of the result.
    #[serde(rename = "type")]
    #[schemars(example = &"item", extend("enum" = SearchResult::TYPES))]
    pub kind: String,
    /// Key of an item or a project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"PRJ-12")]
    pub key: Option<String>,
    /// Id of a comment, a page or a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Title of an item or a page, name of a project or a person; for a comment the title of its item.
    #[schemars(example = &"Login times out")]
    pub title: String,
    /// Matching parts of the title.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub title_highlights: Vec<Highlight>,
    /// A part of the text around the first match, on one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"… the login times out after ten seconds …")]
    pub snippet: Option<String>,
    /// Matching parts of the snippet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub snippet_highlights: Vec<Highlight>,
    /// Key of the project; absent for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Kind of work of an item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"bug")]
    pub item_type: Option<String>,
    /// Workflow state of an item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// Key of the item that a comment is on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// Who wrote a comment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<Actor>,
    /// Path of a page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// When it last changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<Timestamp>,
}

impl SearchResult {
    /// Every `type` of this version of the API. A later one may know more.
    pub const TYPES: &[&str] = &["item", "comment", "page", "project", "person"];
}

/// A range of a text, in UTF-16 code units, as JavaScript counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Highlight {
    /// First unit of the range.
    pub start: usize,
    /// First unit after the range.
    pub end: usize,
}
