//! The audit log of an organization.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Actor;

/// A line of the audit log (`GET /orgs/{slug}/audit`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    /// Id.
    pub id: String,
    /// When.
    pub at: Timestamp,
    /// Who did it, by the name of then; absent where the service did it by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Actor>,
    /// Address of the person who did it, as it is now: names are not unique, and people change them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_email: Option<String>,
    /// By what it was done, such as `rule Go`, `schedule Nightly` or `wiki page Factory/Implement`. Then `by` is who did
    /// that or set it off by hand; absent where it went off by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
    /// What was done, such as `memberAdded`. Later versions have more of them.
    pub action: String,
    /// Id of what it was done to: of a member, a token, a runner, a run; key of an item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Name of what it was done to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Address of the person that it was done to, as it is now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// Key of the project that it is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Value before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Value after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

/// Part of the audit log, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditPage {
    /// The lines. There may be fewer than asked for, and still more to come.
    pub entries: Vec<AuditEntry>,
    /// What to ask for as `before` to go on; absent at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// Which lines of the audit log are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditQuery {
    /// Only these actions, separated by commas, such as `memberAdded,memberRemoved`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"memberAdded,memberRemoved")]
    pub action: Option<String>,
    /// Only what was done to these kinds of things, separated by commas: `organization`, `member`, `project`, `team`,
    /// `agent`, `runner`, `playbook`, `automation`, `budget`, `connection`, `token`, `item`, `page`, `sprint`, `run`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"member,token")]
    pub kind: Option<String>,
    /// Only what this person or agent did: an id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Only what was done to this: an id, or the key of an item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Only in this project: its key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Only at this time or later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// Only before this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
    /// Only lines before this one: `next` of the answer before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// Lines at once; 50 when absent, at most 200.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}
