//! Rules of a project and what they did (specification section 6.5).

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::identity::Actor;
use crate::patch::Patch;

/// Hands an item to an agent when it enters a workflow state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// The state that an item must enter.
    pub state: String,
    /// Label that the item must have.
    #[serde(default)]
    pub label: Option<String>,
    /// Id of the playbook of its runs.
    pub playbook: String,
    /// Id of the agent of its runs; the project's default when absent.
    #[serde(default)]
    pub agent: Option<String>,
    /// Whether it skips items that were moved by a person who may not start AI work.
    #[serde(default)]
    pub only_ai_starters: bool,
    /// Whether it is disabled; a disabled rule does nothing.
    pub disabled: bool,
    /// Who saved it last. Its runs start with the rights that this person has when they start.
    pub saved_by: Actor,
    /// Current version.
    pub version: u64,
}

/// Creates a rule (`POST …/rules`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({
    "name": "Bugs go to the agent", "state": "In progress", "label": "bug", "playbook": "Implement"
}))]
pub struct NewRule {
    /// Name: 1 to 80 characters on one line.
    pub name: String,
    /// The state that an item must enter, ignoring case.
    pub state: String,
    /// Label that the item must have; any item when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Id or name of a playbook of the project.
    pub playbook: String,
    /// Id or name of an agent; the project's default when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Whether it skips items that were moved by a person who may not start AI work; `true` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only_ai_starters: Option<bool>,
}

/// Changes a rule (`PATCH …/rules/{id}`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateRule {
    /// The version last read.
    pub version: u64,
    /// New name.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub name: Option<String>,
    /// New state.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub state: Option<String>,
    /// New label; `null` for any item.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub label: Patch<String>,
    /// Id or name of another playbook.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub playbook: Option<String>,
    /// Id or name of another agent; `null` for the project's default.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub agent: Patch<String>,
    /// Whether it skips items that were moved by a person who may not start AI work.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub only_ai_starters: Option<bool>,
    /// Disables or enables it.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub disabled: Option<bool>,
}

/// What a rule did when an item entered its state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RuleFiring {
    /// Id of the rule.
    pub rule: String,
    /// Name of the rule at that time.
    pub rule_name: String,
    /// Key of the item.
    pub item: String,
    /// State that the item entered.
    pub state: String,
    /// When it fired.
    pub at: Timestamp,
    /// The run that it started; `null` if the firing was skipped.
    #[serde(default)]
    pub run: Option<String>,
    /// The reason for skipping it, in a sentence.
    #[serde(default)]
    pub skipped_reason: Option<String>,
}

/// Query of firings (`GET …/rule-firings`), newest first.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FiringQuery {
    /// Id of a rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// One-based page number; 1 when absent.
    #[serde(default, deserialize_with = "crate::page::clamped", skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "crate::page::any_integer")]
    pub page: Option<u32>,
    /// Entries per page; 50 when absent, at most 100.
    #[serde(default, deserialize_with = "crate::page::clamped", skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "crate::page::any_integer")]
    pub page_size: Option<u32>,
}
