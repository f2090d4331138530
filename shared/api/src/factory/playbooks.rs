//! Playbooks and the factory settings of a project (specification sections 2.4, 2.5).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Harness, Ref};
use crate::deletion::Deletion;
use crate::patch::Patch;

/// Where a run's result goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum DeliveryMode {
    /// A branch and a pull request.
    BranchAndPullRequest,
    /// A push to the project's default branch.
    PushToDefaultBranch,
    /// A mode that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// What a run must leave to have succeeded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Delivers {
    /// A commit.
    #[default]
    Commit,
    /// Nothing: its words, and what it does with items, are the result.
    Nothing,
    /// Something that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// Reusable instructions for runs in a project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Playbook {
    /// Id.
    pub id: String,
    /// Name; its page in the wiki's Factory section has the same name.
    pub name: String,
    /// Path of the page that holds the instructions.
    pub page_path: String,
    /// Instructions, Markdown; absent for those who may not read the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"Implement the item. Write a test first.")]
    pub instructions: Option<String>,
    /// Harness that executes it.
    pub harness: Harness,
    /// Minutes after which a run is stopped.
    pub time_limit_minutes: u32,
    /// State that the item moves to when a run succeeds.
    #[serde(default)]
    pub success_state: Option<String>,
    /// State that the item moves to when a run fails.
    #[serde(default)]
    pub failure_state: Option<String>,
    /// Where the result goes.
    pub delivery_mode: DeliveryMode,
    /// What its runs must leave to have succeeded.
    #[serde(default)]
    pub delivers: Delivers,
    /// Whether a failed check or a requested change on one of its pull requests starts a follow-up run.
    #[serde(default)]
    pub pull_request_follow_ups: bool,
    /// Whether it is the project default.
    pub project_default: bool,
    /// Current version.
    pub version: u64,
    /// Set if it was deleted and can be restored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deletion: Option<Deletion>,
}

/// Creates a playbook (`POST …/projects/{key}/playbooks`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewPlaybook {
    /// 1 to 80 characters without `/`, unique in the project ignoring case.
    pub name: String,
    /// Instructions, Markdown; become the first version of the page `Factory/<name>`.
    #[schemars(example = &"Implement the item. Write a test first.")]
    pub instructions: String,
    /// Harness that executes it.
    pub harness: Harness,
    /// 1 to 1440; 60 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_limit_minutes: Option<u32>,
    /// State that the item moves to when a run succeeds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success_state: Option<String>,
    /// State that the item moves to when a run fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_state: Option<String>,
    /// Branch and pull request when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivery_mode: Option<DeliveryMode>,
    /// A commit when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivers: Option<Delivers>,
    /// Whether a failed check or a requested change on a pull request of its runs starts a follow-up, at most three
    /// times.
    #[serde(default)]
    pub pull_request_follow_ups: bool,
    /// Makes it the project default.
    #[serde(default)]
    pub project_default: bool,
}

/// Changes a playbook (`PATCH …/playbooks/{id}`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdatePlaybook {
    /// The version last read.
    pub version: u64,
    /// New instructions: a new version of the page.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    #[schemars(example = &"Implement the item. Write a test first.")]
    pub instructions: Option<String>,
    /// New harness.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Harness")]
    pub harness: Option<Harness>,
    /// New time limit, 1 to 1440 minutes.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32")]
    pub time_limit_minutes: Option<u32>,
    /// New success state; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub success_state: Patch<String>,
    /// New failure state; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub failure_state: Patch<String>,
    /// New delivery mode; affects future runs only.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "DeliveryMode")]
    pub delivery_mode: Option<DeliveryMode>,
    /// What its runs must leave to have succeeded; affects future runs only.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Delivers")]
    pub delivers: Option<Delivers>,
    /// Whether a failed check or a requested change starts a follow-up from now on.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub pull_request_follow_ups: Option<bool>,
    /// Whether it is the project default from now on.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub project_default: Option<bool>,
}

/// Where runs find a project's repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum RepositorySource {
    /// A clone on the runner's machine.
    RunnerLocal,
    /// A repository at the code host.
    CodeHost,
    /// A source that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// Factory settings of a project (`GET …/factory-settings`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FactorySettings {
    /// Current version.
    pub version: u64,
    /// Where runs find the repository.
    pub repository_source: RepositorySource,
    /// The repository at the code host, `owner/name`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"acme/greeter")]
    pub repository: Option<String>,
    /// Directory where runners may find the clone.
    #[serde(default)]
    #[schemars(example = &"~/src/greeter")]
    pub path_hint: Option<String>,
    /// Branch that work starts from.
    pub default_branch: String,
    /// Default agent.
    #[serde(default)]
    pub default_agent: Option<Ref>,
    /// Default playbook.
    #[serde(default)]
    pub default_playbook: Option<Ref>,
}

/// Changes the factory settings of a project (`PATCH …/factory-settings`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({
    "version": 3, "repositorySource": "codeHost", "repository": "acme/greeter",
}))]
pub struct UpdateFactorySettings {
    /// The version last read.
    pub version: u64,
    /// Where runs find the repository from now on. With `codeHost`, `repository` is needed too, and the default
    /// branch is that of the repository unless `defaultBranch` says otherwise.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "RepositorySource")]
    pub repository_source: Option<RepositorySource>,
    /// The repository at the code host, `owner/name`; the organization's connection must cover it.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    #[schemars(example = &"acme/greeter")]
    pub repository: Option<String>,
    /// New path hint; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[schemars(example = &"~/src/greeter")]
    pub path_hint: Patch<String>,
    /// New default branch.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub default_branch: Option<String>,
    /// Id of the new default agent; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub default_agent: Patch<String>,
    /// Id of the new default playbook; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub default_playbook: Patch<String>,
}
