//! Agents as stored: bot identities that claim items, comment, commit and open pull requests
//! (specification section 1.5).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::{Actor, ActorId, AgentId};

/// A bot identity. Its version is the row's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Agent {
    /// Id.
    pub id: AgentId,
    /// Name shown to others, unique in the organization whatever its case.
    pub name: String,
    /// The person who owns it.
    pub owner: Actor,
    /// Model to ask the harness for.
    pub model: Option<String>,
    /// Whether it takes no new runs.
    pub disabled: bool,
    /// When it was made.
    pub created_at: Timestamp,
}

impl Agent {
    /// The agent as the one who does something.
    pub fn actor(&self) -> Actor {
        Actor { id: ActorId::Agent(self.id), name: self.name.clone() }
    }
}

/// Address that an agent's commits carry: unique, and never delivered to anyone.
pub fn commit_email(agent: AgentId) -> String {
    format!("{agent}@agents.svc.invalid")
}
