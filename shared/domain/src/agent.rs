//! Agents as stored: bot identities that claim items, comment, commit and open pull requests
//! (specification section 1.5).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::deletion::Deletion;
use crate::ids::{Actor, ActorId, AgentId};
use crate::refusal::Refusal;

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
    /// That it was deleted. Absent in rows from before agents could be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted: Option<Deletion>,
}

impl Agent {
    /// Whether it can be named for new work.
    pub const fn is_there(&self) -> bool {
        self.deleted.is_none()
    }

    /// Whether runs can be started with it.
    pub const fn takes_runs(&self) -> bool {
        self.is_there() && !self.disabled
    }

    /// Refuses what is done with one that was deleted.
    ///
    /// # Errors
    /// [`Refusal::Deleted`].
    pub fn require_there(&self, now: Timestamp) -> Result<(), Refusal> {
        match &self.deleted {
            Some(deletion) => Err(deletion.refusal("agent", "an Owner or Admin of the organization", now)),
            None => Ok(()),
        }
    }

    /// The agent as the one who does something.
    pub fn actor(&self) -> Actor {
        Actor { id: ActorId::Agent(self.id), name: self.name.clone() }
    }
}

/// Address that an agent's commits carry: unique, and never delivered to anyone.
pub fn commit_email(agent: AgentId) -> String {
    format!("{agent}@agents.svc.invalid")
}
