//! What a code host delivers to a webhook, in the words of GitHub; only the fields that matter here.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A delivery of the events `pull_request`, `pull_request_review`, `check_run` or `check_suite`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(example = serde_json::json!({
    "action": "closed",
    "pull_request": {
        "html_url": "https://github.com/acme/shop/pull/7", "state": "closed", "merged": true,
        "updated_at": "2026-01-05T09:00:00Z",
        "head": {
            "ref": "prj-12-fix-login", "sha": "6dcb09b5b57875f334f61aebed695e2e4193db5e",
            "repo": {"id": 1296269},
        },
    },
    "repository": {"id": 1296269, "html_url": "https://github.com/acme/shop"},
}))]
pub struct CodeHostDelivery {
    /// What happened.
    pub action: String,
    /// The pull request that it happened to.
    pub pull_request: Option<DeliveredPullRequest>,
    /// Its review.
    pub review: Option<DeliveredReview>,
    /// A check.
    pub check_run: Option<DeliveredCheck>,
    /// All checks of an app.
    pub check_suite: Option<DeliveredCheck>,
    /// The repository.
    pub repository: Option<DeliveredRepository>,
}

/// A pull request.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DeliveredPullRequest {
    /// Its page.
    pub html_url: Option<String>,
    /// Its number in the repository.
    pub number: u64,
    /// `open` or `closed`.
    pub state: String,
    /// Whether it was merged.
    pub merged: Option<bool>,
    /// When it was merged.
    pub merged_at: Option<Timestamp>,
    /// When it last changed.
    pub updated_at: Option<Timestamp>,
    /// The branch that it would merge.
    pub head: DeliveredCommit,
    /// The branch that it would be merged into.
    pub base: DeliveredCommit,
}

/// A commit on a branch.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DeliveredCommit {
    /// The branch.
    #[serde(rename = "ref")]
    pub branch: Option<String>,
    /// The commit.
    pub sha: String,
    /// The repository that the branch is in.
    pub repo: Option<DeliveredRepository>,
}

/// A review.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DeliveredReview {
    /// `approved`, `changes_requested`, `commented` or `dismissed`.
    pub state: String,
    /// Its text.
    pub body: Option<String>,
    /// How its author relates to the repository.
    pub author_association: String,
    /// When it was submitted.
    pub submitted_at: Option<Timestamp>,
    /// The commit.
    pub commit_id: Option<String>,
    /// Its page.
    pub html_url: Option<String>,
    /// Its author.
    pub user: Option<DeliveredUser>,
}

/// Somebody at the code host.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DeliveredUser {
    /// Their name there.
    pub login: String,
}

/// A check, or all checks of an app.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DeliveredCheck {
    /// Number.
    pub id: u64,
    /// Its name, if it is a single check.
    pub name: Option<String>,
    /// Whose checks they are.
    pub app: Option<DeliveredApp>,
    /// The commit.
    pub head_sha: Option<String>,
    /// All checks that it belongs to.
    pub check_suite: Option<Box<DeliveredCheck>>,
    /// The branch.
    pub head_branch: Option<String>,
    /// How it ended.
    pub conclusion: Option<String>,
    /// When it ended.
    pub completed_at: Option<Timestamp>,
    /// When it last changed.
    pub updated_at: Option<Timestamp>,
    /// Its page.
    pub html_url: Option<String>,
    /// What it says.
    pub output: Option<DeliveredOutput>,
    /// Pull requests of the commit.
    pub pull_requests: Vec<DeliveredPullRequest>,
}

/// What a check says.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DeliveredOutput {
    /// The title.
    pub title: Option<String>,
    /// The summary.
    pub summary: Option<String>,
    /// All details.
    pub text: Option<String>,
}

/// An app at the code host.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DeliveredApp {
    /// Its name.
    pub name: String,
}

/// A repository.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DeliveredRepository {
    /// Number.
    pub id: u64,
    /// Its page.
    pub html_url: String,
}
