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

/// The changes in an organization that the caller may see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "OrgChanges")]
pub struct OrgChanges<T> {
    /// Send it as `after` next time. Do not interpret it.
    pub cursor: String,
    /// Whether there are too many changes to list. If so, load everything again, then continue from `cursor`.
    pub reload: bool,
    /// Items of any project that were created or changed, in their current form, with an empty `body`. An item may
    /// appear twice.
    pub items: Vec<T>,
    /// Keys of items that were deleted or moved away.
    pub removed: Vec<String>,
    /// What else changed; load it again if you show it.
    pub changed: Vec<Change>,
}

/// Something that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// What kind of thing.
    pub kind: ChangeKind,
    /// Key of its project; absent if it belongs to the organization.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Key of its item, if it belongs to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// Id of the sprint, comment, run or page that changed; absent for other kinds.
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
    /// What the caller may do: reload everything that depends on it.
    Access,
    /// The caller's inbox: there is news in it, or some was marked as read or done.
    Inbox,
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
