//! Items that were deleted.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ItemType;
use crate::identity::Actor;

/// A deleted item that can be restored (`GET …/projects/{key}/deleted-items`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeletedItem {
    /// Its key, which is never reused.
    pub key: String,
    /// Kind of work.
    #[serde(rename = "type")]
    pub item_type: ItemType,
    /// Title.
    pub title: String,
    /// Who deleted it.
    pub deleted_by: Actor,
    /// When it was deleted.
    pub deleted_at: Timestamp,
    /// Until when it can be restored.
    pub restorable_until: Timestamp,
}
