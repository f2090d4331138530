//! Refinement settings of a project (specification section 2.4).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::patch::Patch;

/// Refinement settings of a project (`GET …/refinement-settings`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefinementSettings {
    /// Current version; 0 until something is set.
    pub version: u64,
    /// What the product is and who it is for.
    #[serde(default)]
    #[schemars(example = &"A tracker for teams that hand some of their work to coding agents.")]
    pub product_description: Option<String>,
    /// How tickets are written.
    #[serde(default)]
    #[schemars(example = &"Begin with what the user wants. End with acceptance criteria as a task list.")]
    pub ticket_instructions: Option<String>,
    /// How tickets are named, such as prefixes of titles.
    #[serde(default)]
    #[schemars(example = &"[API] for the service, [Web] for the web app.")]
    pub naming_conventions: Option<String>,
    /// The platforms and devices that the product supports.
    #[serde(default)]
    #[schemars(example = &"The two newest versions of each browser, on desktop and phone.")]
    pub platforms: Option<String>,
    /// State that a confirmed ticket moves to.
    #[serde(default)]
    #[schemars(example = &"Backlog")]
    pub refined_state: Option<String>,
}

/// Changes the refinement settings of a project (`PATCH …/refinement-settings`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({
    "version": 0, "namingConventions": "[API] for the service, [Web] for the web app.", "refinedState": "Backlog"
}))]
pub struct UpdateRefinementSettings {
    /// The version last read; 0 until something is set.
    pub version: u64,
    /// New description of the product, at most 20,000 characters; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub product_description: Patch<String>,
    /// New instructions, at most 20,000 characters; `null` clears them.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub ticket_instructions: Patch<String>,
    /// New conventions, at most 20,000 characters; `null` clears them.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub naming_conventions: Patch<String>,
    /// New platforms and devices, at most 20,000 characters; `null` clears them.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub platforms: Patch<String>,
    /// Name of a state of the workflow, ignoring case; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub refined_state: Patch<String>,
}
