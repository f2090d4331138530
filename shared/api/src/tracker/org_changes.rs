//! What changed in an organization since a client last asked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Query of the changes of an organization (`GET …/changes`, `GET …/stream`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrgChangesQuery {
    /// The `cursor` of the last answer. Without it the answer only says where to begin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// What changed in an organization, of what the caller may see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "OrgChanges")]
pub struct OrgChanges<T> {
    /// Send it as `after` next time. Its text means nothing.
    pub cursor: String,
    /// Whether too much happened since: load everything anew, then go on at `cursor`.
    pub reload: bool,
    /// Items of any project that were created or changed, as they are now, with an empty `body`. One may come twice.
    pub items: Vec<T>,
    /// Keys of items that went.
    pub removed: Vec<String>,
    /// What else changed: read it again by its own address where it is shown.
    pub changed: Vec<Change>,
}

/// Something that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// What kind of thing.
    pub kind: ChangeKind,
    /// Key of its project; absent for what belongs to the organization.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Key of its item, for what belongs to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// Its id, where it is one thing: of a sprint, a comment, a run, a page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// A kind of thing that changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ChangeKind {
    /// Name or settings of the organization.
    Organization,
    /// Its members.
    Members,
    /// Its invitations.
    Invitations,
    /// Its agents.
    Agents,
    /// Its runners.
    Runners,
    /// Its connections with code hosts.
    CodeHosts,
    /// What the caller may do: load what depends on it anew.
    Access,
    /// Name, description or state of a project.
    Project,
    /// The members of a project.
    ProjectMembers,
    /// The workflow of a project.
    Workflow,
    /// The labels of a project.
    Labels,
    /// The milestones of a project.
    Milestones,
    /// The ticket templates of a project.
    Templates,
    /// The shared views of a project.
    Views,
    /// The teams of a project.
    Teams,
    /// The playbooks of a project.
    Playbooks,
    /// The rules of a project that hand items to agents.
    Rules,
    /// The factory settings of a project.
    FactorySettings,
    /// The refinement settings of a project.
    RefinementSettings,
    /// A sprint.
    Sprint,
    /// A comment, or the reactions to it.
    Comment,
    /// The attachments of an item.
    Attachments,
    /// The watchers of an item.
    Watchers,
    /// A run.
    Run,
    /// The refinement of an item.
    Refinement,
    /// A wiki page.
    Page,
    /// A kind that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}
