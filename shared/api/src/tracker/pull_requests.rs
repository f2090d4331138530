//! What a code host told of the pull requests that items link.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the code host reported about a pull request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PullRequest {
    /// What happened to it.
    pub state: PullRequestState,
    /// Its newest commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"6dcb09b5b57875f334f61aebed695e2e4193db5e")]
    pub head: Option<String>,
    /// Result of the commit's checks, once one has finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checks: Option<PullRequestChecks>,
    /// Result of the last review that approved or requested changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<PullRequestReview>,
    /// Follow-ups that it asked for, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub follow_ups: Vec<PullRequestFollowUp>,
}

/// A follow-up that a pull request asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PullRequestFollowUp {
    /// Why.
    pub cause: FollowUpCause,
    /// The commit that it is about.
    #[schemars(example = &"6dcb09b5b57875f334f61aebed695e2e4193db5e")]
    pub head: String,
    /// When it was asked for.
    pub at: Timestamp,
    /// Its run; absent while it waits for the item, and if none was started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d")]
    pub run: Option<String>,
    /// Why none was started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// State of a pull request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum PullRequestState {
    /// It can be merged.
    Open,
    /// It was merged.
    Merged,
    /// It was closed without being merged.
    Closed,
    /// A state that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// Result of a commit's checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum PullRequestChecks {
    /// No finished check failed.
    Passing,
    /// At least one check failed.
    Failing,
    /// A word that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// Result of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum PullRequestReview {
    /// It may be merged.
    Approved,
    /// Changes were requested.
    ChangesRequested,
    /// A word that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// Why a pull request asks for a follow-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum FollowUpCause {
    /// A check failed.
    ChecksFailed,
    /// A review requested changes.
    ChangesRequested,
    /// A cause that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}
