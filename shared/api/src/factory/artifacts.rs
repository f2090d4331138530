//! Files that an agent left for people to look at.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A file that the agent of a run left for people: a test report, a picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunArtifact {
    /// Its name; download it from `/runs/{id}/artifacts/{file}`.
    #[schemars(example = &"report.xml")]
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
}
