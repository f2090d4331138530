//! The problem document: the one shape of every error (specification section 7, RFC 9457).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Media type of a problem document.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// The error document of every endpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(example = serde_json::json!({
    "type": "stale-version",
    "title": "Somebody else saved first.",
    "status": 409,
    "detail": "The item is at version 8; read it again, then decide.",
    "traceId": "4bf92f3577b34da6a3ce929d0e0e4736",
    "currentVersion": 8,
}))]
pub struct Problem {
    /// Stable slug of the kind of problem, listed in the API reference. Programs should decide by it, never
    /// by a text.
    #[serde(rename = "type")]
    pub kind: String,
    /// One sentence for people; the same for every problem of a kind.
    pub title: String,
    /// HTTP status code, repeated.
    pub status: u16,
    /// What was wrong this time and what to do; absent if it would disclose something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Id of this request in the server's logs.
    #[serde(default)]
    pub trace_id: String,
    /// What is wrong with each field of the request, by the field's name as sent.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub errors: BTreeMap<String, Vec<String>>,
    /// With `stale-version`: the current version of the resource.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_version: Option<u64>,
    /// With `item-claimed`: the current holder of the claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder: Option<String>,
    /// With `live-run-exists`: the run that holds the item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    /// With `channel-test-failed`: why the message did not arrive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
