//! The message about what people may have to be told.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use svc_domain::ids::{
    Actor, CommentId, InvitationId, ItemKey, OrgId, ProjectKey, RunId, ScheduleId, SprintId, UserId,
    WebhookId,
};
use svc_domain::reaction::Emoji;
use svc_domain::run::RunStatus;
use svc_domain::webhook::WebhookNews;
use svc_domain::wiki::PagePath;
use uuid::Uuid;

/// Tell people and webhooks what a commit was about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Notify {
    /// Organization.
    pub org: OrgId,
    /// The commit: nobody is told of it twice.
    pub id: Uuid,
    /// What happened in it that people may have to be told.
    pub happened: Vec<Happened>,
    /// What happened in it that webhooks tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub webhooks: Vec<WebhookNews>,
}

/// Something that people may have to be told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Happened {
    /// Who did it.
    pub by: Option<Actor>,
    /// When.
    pub at: Timestamp,
    /// What.
    pub told: Told,
}

/// What people may have to be told of, by what to look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Told {
    /// An item was assigned.
    Assigned {
        /// The item.
        item: ItemKey,
    },
    /// An item moved.
    Moved {
        /// The item.
        item: ItemKey,
        /// The state after.
        to: String,
        /// Whether a run moved it.
        run: bool,
    },
    /// Somebody began to work on an item.
    Claimed {
        /// The item.
        item: ItemKey,
        /// Whether a run did.
        run: bool,
    },
    /// A comment was written.
    Commented {
        /// The item.
        item: ItemKey,
        /// The comment.
        comment: CommentId,
    },
    /// A comment was edited.
    CommentEdited {
        /// The item.
        item: ItemKey,
        /// The comment.
        comment: CommentId,
    },
    /// Somebody reacted to a comment for the first time.
    Reacted {
        /// The item.
        item: ItemKey,
        /// The comment.
        comment: CommentId,
        /// How.
        emoji: Emoji,
    },
    /// A run ended.
    RunEnded {
        /// The item.
        item: ItemKey,
        /// The run.
        run: RunId,
        /// How.
        status: RunStatus,
    },
    /// The refinement of an item waits for a person.
    NeedsInput {
        /// The item.
        item: ItemKey,
    },
    /// A sprint was started.
    SprintStarted {
        /// The project.
        project: ProjectKey,
        /// The sprint.
        sprint: SprintId,
    },
    /// A sprint was completed.
    SprintCompleted {
        /// The project.
        project: ProjectKey,
        /// The sprint.
        sprint: SprintId,
    },
    /// A page was written.
    PageWritten {
        /// The project.
        project: ProjectKey,
        /// Where it is.
        path: PagePath,
        /// As which version.
        version: u64,
    },
    /// Somebody accepted an invitation.
    InvitationAccepted {
        /// The invitation.
        invitation: InvitationId,
        /// Who joined.
        user: UserId,
    },
    /// An outbound webhook was disabled, because it failed.
    WebhookDisabled {
        /// The webhook.
        webhook: WebhookId,
        /// Its name.
        name: String,
    },
    /// A schedule paused itself.
    SchedulePaused {
        /// Its project.
        project: ProjectKey,
        /// The schedule.
        schedule: ScheduleId,
    },
}

impl Told {
    /// What it is about: the order of messages about the same is kept.
    pub fn subject(&self) -> String {
        match self {
            Self::Assigned { item }
            | Self::Moved { item, .. }
            | Self::Claimed { item, .. }
            | Self::Commented { item, .. }
            | Self::CommentEdited { item, .. }
            | Self::Reacted { item, .. }
            | Self::RunEnded { item, .. }
            | Self::NeedsInput { item } => item.to_string(),
            Self::SprintStarted { sprint, .. } | Self::SprintCompleted { sprint, .. } => sprint.to_string(),
            Self::PageWritten { project, path, .. } => format!("{project} {path}"),
            Self::InvitationAccepted { invitation, .. } => invitation.to_string(),
            Self::WebhookDisabled { webhook, .. } => webhook.to_string(),
            Self::SchedulePaused { schedule, .. } => schedule.to_string(),
        }
    }
}
