//! Runners as administrators see them, and the harnesses they find (specification sections 1.5, 4.3).

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A supported coding harness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Harness {
    /// Claude Code.
    #[serde(rename = "harness_1")]
    Harness1,
    /// Codex CLI.
    #[serde(rename = "harness_2")]
    Harness2,
    /// opencode.
    #[serde(rename = "harness_3")]
    Harness3,
    /// Cursor CLI.
    #[serde(rename = "harness_4")]
    Harness4,
    /// GitHub Copilot CLI.
    #[serde(rename = "harness_5")]
    Harness5,
    /// A harness that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// A machine that executes runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Runner {
    /// Id.
    pub id: String,
    /// Name given by the administrator.
    pub name: String,
    /// Whether it sent a request within the last minute.
    pub online: bool,
    /// Whether it is disabled; requests of a disabled runner are refused.
    pub disabled: bool,
    /// Harnesses found on the machine.
    #[serde(default)]
    pub harnesses: Vec<Harness>,
    /// Version of the runner program.
    #[serde(default)]
    pub client_version: Option<String>,
    /// Operating system and architecture.
    #[serde(default)]
    pub platform: Option<String>,
    /// Random id of the machine; the same in every organization.
    #[serde(default)]
    pub machine_id: Option<String>,
    /// Local name of the machine.
    #[serde(default)]
    pub label: Option<String>,
    /// Whether a service manager started it.
    #[serde(default)]
    pub service: bool,
    /// How many runs it executes at once.
    #[serde(default)]
    pub parallel: u32,
    /// When it last sent a request.
    #[serde(default)]
    pub last_seen_at: Option<Timestamp>,
    /// Current version.
    pub version: u64,
}

/// Creates a runner and its secret (`POST /orgs/{slug}/runners`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewRunner {
    /// 1 to 60 characters on one line, unique in the organization ignoring case.
    pub name: String,
}

/// A runner with its new secret, which is shown only once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunnerSecret {
    /// The runner.
    pub runner: Runner,
    /// Starts with `jrn_`; give it to `svc runner register --token`.
    pub secret: String,
}

/// Changes a runner (`PATCH /orgs/{slug}/runners/{id}`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateRunner {
    /// The version last read.
    pub version: u64,
    /// New name.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub name: Option<String>,
    /// Disables or enables it.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub disabled: Option<bool>,
}
