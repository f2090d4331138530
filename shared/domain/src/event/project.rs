//! Events of projects and their settings.

use uuid::Uuid;

use crate::identity::ProjectRole;
use crate::ids::{IntakeId, MilestoneId, ProjectKey, TeamId, TemplateId, UserId, ViewId};

/// What happens to a project, its people and what its Admins set.
#[derive(Clone, Debug, PartialEq)]
pub enum ProjectEvent {
    /// A project was created.
    Created(ProjectKey),
    /// Name or description of a project changed.
    Changed(ProjectKey),
    /// A project was archived, or revived.
    ArchiveSet(ProjectKey, bool),
    /// A project was deleted.
    Deleted(ProjectKey),
    /// A project was restored.
    Restored(ProjectKey),
    /// Nothing is left of a deleted project.
    Purged(ProjectKey),
    /// A person got a role in a project.
    MemberSet(ProjectKey, UserId, ProjectRole),
    /// A person was taken out of a project.
    MemberRemoved(ProjectKey, UserId),
    /// The workflow was replaced. These states stay, and went from open work to work that is done, or back.
    WorkflowChanged(ProjectKey, Vec<String>),
    /// A label was defined.
    LabelCreated(ProjectKey, String),
    /// A label was changed, renamed or merged: its name before and after.
    LabelChanged(ProjectKey, String, String),
    /// A label was deleted.
    LabelDeleted(ProjectKey, String),
    /// A milestone was deleted.
    MilestoneDeleted(ProjectKey, MilestoneId, String),
    /// A ticket template was deleted.
    TemplateDeleted(ProjectKey, TemplateId, String),
    /// A saved view that everyone sees was deleted.
    ViewDeleted(ProjectKey, ViewId, String),
    /// The milestones changed.
    MilestonesChanged(ProjectKey),
    /// The ticket templates changed.
    TemplatesChanged(ProjectKey),
    /// The saved views that everyone sees changed.
    SharedViewsChanged(ProjectKey),
    /// An intake was made: its id and name.
    IntakeCreated(ProjectKey, IntakeId, String),
    /// An intake was changed.
    IntakeChanged(ProjectKey, IntakeId, String),
    /// An intake got another address.
    IntakeRotated(ProjectKey, IntakeId, String),
    /// An intake was deleted.
    IntakeDeleted(ProjectKey, IntakeId, String),
    /// A team was created.
    TeamCreated(ProjectKey, TeamId),
    /// A team was changed.
    TeamChanged(ProjectKey, TeamId),
    /// A team was deleted.
    TeamDeleted(ProjectKey, TeamId),
    /// A label or state is to be replaced in all items of a project.
    ReplacementStarted(ProjectKey, Uuid),
}
