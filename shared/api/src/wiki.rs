//! Wiki pages and their versions (specification sections 2.5, 4.2).

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::identity::Actor;

/// A page of a project's wiki.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WikiPage {
    /// Id.
    pub id: String,
    /// Names from the root to the page, separated by `/`.
    pub path: String,
    /// Last name of the path.
    pub title: String,
    /// Text, Markdown.
    pub body: String,
    /// Current version; 1 is the first.
    pub version: u64,
    /// Who wrote this version.
    pub updated_by: Actor,
    /// When it was written.
    pub updated_at: Timestamp,
    /// Whether the caller may edit it.
    #[serde(default)]
    pub can_edit: bool,
}

/// A page in the tree, without its text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WikiEntry {
    /// Id.
    pub id: String,
    /// Names from the root to the page, separated by `/`.
    pub path: String,
    /// Last name of the path.
    pub title: String,
    /// Current version.
    pub version: u64,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Place among its siblings: lower numbers first, then by name.
    #[serde(default)]
    pub position: i32,
}

/// Writes a page (`PUT …/wiki/pages/{path}`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PutPage {
    /// The version last read; absent to create the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// Text, Markdown, at most 200,000 characters.
    pub body: String,
}

/// One version of a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageVersion {
    /// Number of the version.
    pub version: u64,
    /// Text, Markdown.
    pub body: String,
    /// Who wrote it.
    pub author: Actor,
    /// When it was written.
    pub at: Timestamp,
    /// The change that made it.
    #[serde(default)]
    pub change: PageChange,
}

/// The change that made a version of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageChange {
    /// Kind of change.
    #[serde(default)]
    pub kind: PageChangeKind,
    /// The restored version, for `restored`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// The old path, for `moved`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// Kind of change to a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum PageChangeKind {
    /// Its text was written.
    #[default]
    Written,
    /// The text of an earlier version was restored.
    Restored,
    /// Its access rules were changed.
    Access,
    /// The page was deleted.
    Deleted,
    /// It was moved, or put in another place among its siblings.
    Moved,
    /// A value that this program does not know.
    #[serde(other)]
    Unknown,
}

/// A page that was deleted (`GET …/wiki/deleted`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeletedPage {
    /// Id for restoring it.
    pub id: String,
    /// Its old path.
    pub path: String,
    /// Last name of the path.
    pub title: String,
    /// Its last version: the deletion.
    pub version: u64,
    /// Who deleted it.
    pub deleted_by: Actor,
    /// When it was written.
    pub deleted_at: Timestamp,
}

/// Moves a page and everything below it (`POST …/wiki/move/{path}`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MovePage {
    /// The version last read.
    pub version: u64,
    /// Its new path, which must be free; absent keeps the path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Its new place among its siblings, lower numbers first; absent keeps the place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<i32>,
}

/// Which versions (`GET …/wiki/versions/{path}`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VersionsQuery {
    /// Only versions older than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<u64>,
}

/// Which versions to compare (`GET …/wiki/diff/{path}`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiffQuery {
    /// The older version; the one before `to` when absent. 0 is the empty text before the first version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    /// The newer version; the current one when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<u64>,
}

/// The differences between two versions of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageDiff {
    /// The older version; 0 is the empty text before the first version.
    pub from: u64,
    /// The newer version.
    pub to: u64,
    /// The differences, in order; empty if the texts are equal.
    pub hunks: Vec<DiffHunk>,
    /// The same as a unified diff.
    #[schemars(example = &"--- 1\n+++ 2\n@@ -1 +1 @@\n-Hello\n+Hello, Ada\n")]
    pub unified: String,
    /// Whether there are more differences than the 20,000 lines shown. Absent if all are shown.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

/// Lines that differ, with three lines of context.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiffHunk {
    /// First line in the older text, from 1; the line before, if there are no older lines here.
    pub old_start: u64,
    /// Lines of the older text.
    pub old_lines: u64,
    /// First line in the newer text.
    pub new_start: u64,
    /// Lines of the newer text.
    pub new_lines: u64,
    /// The lines.
    pub lines: Vec<DiffLine>,
}

/// A line of a difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiffLine {
    /// Whether it was kept, added or removed.
    pub kind: DiffLineKind,
    /// The line without its end.
    pub text: String,
}

/// Kind of a line in a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum DiffLineKind {
    /// The line is in both texts.
    Context,
    /// The line is only in the older text.
    Removed,
    /// The line is only in the newer text.
    Added,
    /// A value that this program does not know.
    #[serde(other)]
    Unknown,
}

/// Restores an earlier version as the next one (`POST …/wiki/restore/{path}`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RestorePage {
    /// The version last read.
    pub version: u64,
    /// The version to restore.
    pub restore: u64,
}

/// The access rules of the page itself (`GET …/wiki/access/{path}`). The pages above it narrow them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageAccess {
    /// Current version of the page.
    pub version: u64,
    /// Who may read it; null if it has no rule.
    pub read: Option<Audience>,
    /// Which of its readers may edit it; null if it has no rule.
    pub edit: Option<Audience>,
    /// Whether the caller may change the rules.
    pub can_change: bool,
}

/// Changes the access rules of a page and the pages below it (`PUT …/wiki/access/{path}`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetPageAccess {
    /// The version last read.
    pub version: u64,
    /// Who may read it; null or absent inherits.
    #[serde(default)]
    pub read: Option<Audience>,
    /// Which of its readers may edit it; null or absent inherits.
    #[serde(default)]
    pub edit: Option<Audience>,
}

/// A group of people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Audience {
    /// Everyone in the project, its Members (all except Guests), its Admins, or the listed people.
    pub who: AudienceKind,
    /// Ids of the people, for `people`. Admins of the project, and Owners and Admins of the organization, are
    /// always included.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(example = ["01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d"])]
    pub people: Vec<String>,
}

/// A group of people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum AudienceKind {
    /// Everyone who sees the project.
    Everyone,
    /// Everyone except Guests, and agents that work in the project.
    Members,
    /// Admins of the project, and Owners and Admins of the organization.
    Admins,
    /// The listed people.
    People,
    /// A value that this program does not know.
    #[serde(other)]
    Unknown,
}
