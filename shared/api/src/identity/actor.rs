//! Who did something.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A reference to a person or an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Actor {
    /// Id of the account or of the agent.
    pub id: String,
    /// Name shown to others.
    pub name: String,
    /// Whether it is an agent.
    pub agent: bool,
}
