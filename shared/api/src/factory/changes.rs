//! What a run changed in its repository, to be looked at: commits, changed files and the patch.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Query of `GET …/runs/{id}/changes`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChangesQuery {
    /// Whether to answer the patch too; it is up to 1 MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch: Option<bool>,
}

/// What a run changed, from its first commit to its last. The runner reports it at the end of the run; until then,
/// and if the run changed nothing, everything is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunChanges {
    /// Commit that the run began with.
    #[serde(default)]
    #[schemars(example = &"7a9c1d2e3f405162738495a6b7c8d9e0f1a2b3c4")]
    pub base: Option<String>,
    /// Commit that the run ended with.
    #[serde(default)]
    #[schemars(example = &"0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c")]
    pub head: Option<String>,
    /// Commits between the two, newest first; at most 500.
    #[serde(default)]
    pub commits: Vec<RunCommit>,
    /// How many commits there are.
    #[serde(default)]
    pub commit_count: u64,
    /// Changed files in the order of the patch; at most 2,000.
    #[serde(default)]
    pub files: Vec<ChangedFile>,
    /// How many files changed.
    #[serde(default)]
    pub file_count: u64,
    /// Lines added to all files.
    #[serde(default)]
    pub additions: u64,
    /// Lines removed from all files.
    #[serde(default)]
    pub deletions: u64,
    /// The patch in git's unified format, without secrets; at most 1 MiB. Absent when it was not asked for.
    #[serde(default)]
    #[schemars(example = &"diff --git a/greet.sh b/greet.sh\n")]
    pub patch: Option<String>,
    /// Whether the patch or a list is incomplete; the patch contains only whole files.
    #[serde(default)]
    pub truncated: bool,
}

/// A commit of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunCommit {
    /// Its hash.
    #[schemars(example = &"0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c")]
    pub hash: String,
    /// The first line of its message.
    #[schemars(example = &"Greet people by name")]
    pub title: String,
}

/// A file that a run changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangedFile {
    /// Path of the file; the last path of a deleted file.
    #[schemars(example = &"src/greet.sh")]
    pub path: String,
    /// Where it was before it was renamed or copied.
    #[serde(default)]
    #[schemars(example = &"greet.sh")]
    pub previous_path: Option<String>,
    /// Lines added; absent for a binary file.
    #[serde(default)]
    pub additions: Option<u64>,
    /// Lines removed; absent for a binary file.
    #[serde(default)]
    pub deletions: Option<u64>,
    /// Whether the patch contains it.
    #[serde(default)]
    pub in_patch: bool,
}
