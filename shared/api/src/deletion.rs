//! What was deleted and can be restored for a while.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::identity::Actor;

/// When and by whom something was deleted, and until when it can be restored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deletion {
    /// Who deleted it.
    pub by: Actor,
    /// When.
    pub at: Timestamp,
    /// Until when it can be restored.
    pub restorable_until: Timestamp,
}

/// Query of a list of things that can be restored after they were deleted.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeletedQuery {
    /// List what was deleted and can be restored, the latest 200, in place of what is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted: Option<bool>,
}
