//! The refinement of an item (specification sections 3.5 and 4.1).

use std::collections::BTreeSet;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Harness, Ref};
use crate::identity::Actor;
use crate::tracker::Priority;

/// State of a refinement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum RefinementStatus {
    /// A run works on it.
    Running,
    /// The agent has questions.
    Questions,
    /// There is a proposal to confirm.
    Proposed,
    /// The last run ended without submitting anything; the item can be refined again.
    Failed,
    /// The proposal was confirmed.
    Confirmed,
    /// A state that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// The refinement of an item (`GET …/items/{key}/refinement`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Refinement {
    /// Key of the item.
    pub item: String,
    /// State.
    pub status: RefinementStatus,
    /// Who refines it.
    pub agent: Ref,
    /// Requested runner.
    #[serde(default)]
    pub runner: Option<Ref>,
    /// Requested harness.
    #[serde(default)]
    pub harness: Option<Harness>,
    /// The run of the last round.
    #[schemars(example = &"01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d")]
    pub run: String,
    /// Questions that wait for answers.
    pub questions: Vec<RefinementQuestion>,
    /// The newest proposal.
    #[serde(default)]
    pub proposal: Option<RefinementProposal>,
    /// The rounds, oldest first.
    pub rounds: Vec<RefinementRound>,
    /// How many earlier rounds are no longer kept.
    #[serde(default)]
    pub forgotten_rounds: u32,
    /// Who confirmed the proposal.
    #[serde(default)]
    pub confirmed_by: Option<Actor>,
    /// When it was confirmed.
    #[serde(default)]
    pub confirmed_at: Option<Timestamp>,
    /// Current version of the item; send it as `itemVersion` to confirm.
    pub item_version: u64,
    /// Current version of the refinement.
    pub version: u64,
}

/// A question of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefinementQuestion {
    /// Its number, from 1. Answers refer to it.
    pub number: u32,
    /// The question.
    #[schemars(example = &"Which names may be left out?")]
    pub question: String,
}

/// The ticket that an agent proposes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefinementProposal {
    /// Title: one line of 1 to 300 characters.
    pub title: String,
    /// Description, Markdown, at most 120,000 bytes.
    pub description: String,
    /// Priority; absent keeps the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// All labels; absent keeps the current ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<BTreeSet<String>>,
}

/// One run of a refinement: its input, and the questions it asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefinementRound {
    /// The run.
    #[schemars(example = &"01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d")]
    pub run: String,
    /// Who requested it.
    pub requested_by: Actor,
    /// When it was requested.
    pub requested_at: Timestamp,
    /// Answers that it received.
    pub answers: Vec<RefinementAnswer>,
    /// Note that it received.
    #[serde(default)]
    #[schemars(example = &"Say what happens to visitors without a name.")]
    pub note: Option<String>,
    /// When it submitted something; absent if it did not.
    #[serde(default)]
    pub submitted_at: Option<Timestamp>,
    /// The questions it asked.
    pub questions: Vec<String>,
}

/// A question and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefinementAnswer {
    /// The question.
    #[schemars(example = &"Which names may be left out?")]
    pub question: String,
    /// The answer.
    #[schemars(example = &"None: everybody has a name.")]
    pub answer: String,
}

/// Starts a refinement (`POST …/items/{key}/refinement`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({}))]
pub struct StartRefinement {
    /// Id or name of the runner for its runs; any runner when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner_id: Option<String>,
    /// Harness of its runs; that of the project's default playbook when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub harness: Option<Harness>,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AnswerTo {
    /// Number of the question.
    pub question: u32,
    /// The answer, at most 5,000 bytes.
    #[schemars(example = &"None: everybody has a name.")]
    pub answer: String,
}

/// Answers questions and refines again (`POST …/refinement/answers`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({"version": 3, "answers": [{"question": 1, "answer": "Yes."}]}))]
pub struct AnswerRefinement {
    /// The version of the refinement last read.
    pub version: u64,
    /// Answers; questions may be left open.
    #[serde(default)]
    pub answers: Vec<AnswerTo>,
    /// A note, at most 10,000 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"Say what happens to visitors without a name.")]
    pub note: Option<String>,
}

/// Asks for changes to the proposal (`POST …/refinement/changes`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({"version": 3, "note": "Shorter, and without the screenshots."}))]
pub struct AskForChanges {
    /// The version of the refinement last read.
    pub version: u64,
    /// What should change, at most 10,000 bytes.
    #[schemars(example = &"Say what happens to visitors without a name.")]
    pub note: String,
}

/// Confirms the proposal (`POST …/refinement/confirm`).
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({"version": 3, "itemVersion": 2}))]
pub struct ConfirmRefinement {
    /// The version of the refinement last read.
    pub version: u64,
    /// The version of the item last read.
    pub item_version: u64,
}

/// The submission of a refine run's agent (`PUT …/refinement/submission`): a proposal, questions, or both.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({"questions": ["Which browsers?"]}))]
pub struct SubmitRefinement {
    /// Questions that only a person can answer: at most ten of 2,000 bytes each.
    #[serde(default)]
    pub questions: Vec<String>,
    /// The whole ticket as it should be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<SubmittedProposal>,
}

/// The ticket that an agent submits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SubmittedProposal {
    /// Title: one line of 1 to 300 characters.
    pub title: String,
    /// Description, Markdown, at most 120,000 bytes.
    pub description: String,
    /// Priority; absent keeps the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// All labels; absent keeps the current ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<BTreeSet<String>>,
}
