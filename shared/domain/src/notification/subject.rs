//! What news are about.

use serde::{Deserialize, Serialize};

use crate::ids::{
    ChannelId, InvitationId, ItemKey, PageId, ProjectKey, RunnerId, ScheduleId, SprintId, WebhookId,
};
use crate::wiki::PagePath;

/// What an entry of an inbox is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "about", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Subject {
    /// An item.
    Item {
        /// Its key.
        key: ItemKey,
        /// The first key that it had, if it was moved to another project.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        first: Option<ItemKey>,
    },
    /// A sprint.
    Sprint {
        /// Its project.
        project: ProjectKey,
        /// Its id.
        id: SprintId,
    },
    /// A page of a wiki.
    Page {
        /// Its project.
        project: ProjectKey,
        /// Its id.
        id: PageId,
        /// Its path.
        path: PagePath,
    },
    /// An invitation.
    Invitation {
        /// Its id.
        id: InvitationId,
    },
    /// An outbound webhook.
    Webhook {
        /// Its id.
        id: WebhookId,
        /// Its name when it was told of.
        name: String,
    },
    /// A channel, of the person or of the organization.
    Channel {
        /// Its id.
        id: ChannelId,
        /// Its name when it was told of.
        name: String,
        /// Whether it is the organization's.
        of_org: bool,
    },
    /// A runner.
    Runner {
        /// Its id.
        id: RunnerId,
        /// Its name when it was told of.
        name: String,
    },
    /// A budget.
    Budget {
        /// What tells it from the others.
        id: String,
        /// What people call it.
        name: String,
    },
    /// A schedule.
    Schedule {
        /// Its project.
        project: ProjectKey,
        /// Its id.
        id: ScheduleId,
        /// Its name when it was told of.
        name: String,
    },
}

impl Subject {
    /// What tells it from every other subject of its organization.
    pub fn name(&self) -> String {
        match self {
            // It keeps one entry, wherever it goes.
            Self::Item { key, first } => first.as_ref().unwrap_or(key).to_string(),
            Self::Sprint { id, .. } => format!("sprint {id}"),
            Self::Page { id, .. } => format!("page {id}"),
            Self::Invitation { id } => format!("invitation {id}"),
            Self::Webhook { id, .. } => format!("webhook {id}"),
            Self::Channel { id, .. } => format!("channel {id}"),
            Self::Runner { id, .. } => format!("runner {id}"),
            Self::Budget { id, .. } => format!("budget {id}"),
            Self::Schedule { id, .. } => format!("schedule {id}"),
        }
    }

    /// The project that it is in.
    pub const fn project(&self) -> Option<&ProjectKey> {
        match self {
            Self::Item { key, .. } => Some(&key.project),
            Self::Sprint { project, .. } | Self::Page { project, .. } | Self::Schedule { project, .. } => {
                Some(project)
            }
            Self::Invitation { .. }
            | Self::Webhook { .. }
            | Self::Channel { .. }
            | Self::Runner { .. }
            | Self::Budget { .. } => None,
        }
    }
}
