//! Messages to workers: one type per kind of message, and [`Message`], which is any of them.
//!
//! Owns their shape in the queue and nothing else. Who sends a message: [`derive::messages`](crate::derive); who handles
//! it: `functions/workers`, a file per kind. A message only names what to look at, because it may come twice or late.

mod notify;

pub use notify::{Happened, Notify, Told};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use svc_domain::ids::{
    Actor, ActorId, AgentId, CommentId, DeliveryId, InvitationId, ItemKey, OrgId, ProjectKey, RunId,
    SprintId, UserId, WebhookId,
};
use svc_domain::notification::destination::Destination;
use uuid::Uuid;

/// Declares [`Message`] and how each kind becomes one.
macro_rules! messages {
    ($($kind:ident),* $(,)?) => {
        /// A message of any kind, as it is in the queue. A worker that does not know a kind leaves it to a newer one.
        /// Fields may be added to a kind; the worker itself adds how often the message was tried.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase", tag = "kind")]
        pub enum Message {
            $(
                #[doc = concat!("See [`", stringify!($kind), "`].")]
                $kind($kind),
            )*
        }

        $(
            impl From<$kind> for Message {
                fn from(message: $kind) -> Self {
                    Self::$kind(message)
                }
            }
        )*
    };
}

messages![
    WatchRun,
    ClearReactions,
    ReplaceInItems,
    ReleaseLeftovers,
    ContinueRun,
    FireRules,
    AnswerMentions,
    Notify,
    SettleSprint,
    FollowItem,
    NoteBlockers,
    NoteBlockersOfStates,
    PurgeItem,
    StopRuns,
    PurgeProject,
    StopOrgRuns,
    PurgeOrg,
    FinishPageMove,
    FinishTransfer,
    MailInvitation,
    MailPasswordReset,
    MailNewAddress,
    PackFeed,
    SpreadProfile,
    SpreadAgentName,
    Deliver,
    TellBroken,
    DeliverWebhook,
];

/// Look whether the runner of this run is still there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WatchRun {
    /// Organization.
    pub org: OrgId,
    /// The run.
    pub run: RunId,
}

/// Take away what is left of a deleted item, which can be brought back no more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PurgeItem {
    /// Organization.
    pub org: OrgId,
    /// The item.
    pub item: ItemKey,
    /// When it was deleted.
    pub at: Timestamp,
}

/// Stop the runs of a project that was deleted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StopRuns {
    /// Organization.
    pub org: OrgId,
    /// The project.
    pub project: ProjectKey,
    /// When it was deleted.
    pub at: Timestamp,
}

/// Take away what is left of a deleted project, which can be restored no more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PurgeProject {
    /// Organization.
    pub org: OrgId,
    /// The project.
    pub project: ProjectKey,
    /// When it was deleted.
    pub at: Timestamp,
}

/// Stop the runs of an organization that was deleted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StopOrgRuns {
    /// Organization.
    pub org: OrgId,
    /// When it was deleted.
    pub at: Timestamp,
}

/// Take away what is left of a deleted organization, which can be restored no more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PurgeOrg {
    /// Organization.
    pub org: OrgId,
    /// When it was deleted.
    pub at: Timestamp,
}

/// Clear the reactions to a deleted comment, and the files that were attached to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClearReactions {
    /// Organization.
    pub org: OrgId,
    /// The item that the comment was on.
    pub item: ItemKey,
    /// The comment.
    pub comment: CommentId,
}

/// Go on with the replacement of a label or state in the items of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplaceInItems {
    /// Organization.
    pub org: OrgId,
    /// Project.
    pub project: ProjectKey,
    /// The replacement.
    pub id: Uuid,
}

/// Release what the agent of this run claimed beside its item, now that the run is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReleaseLeftovers {
    /// Organization.
    pub org: OrgId,
    /// The run.
    pub run: RunId,
}

/// Continue this failed run, if nothing else has happened to its item since.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContinueRun {
    /// Organization.
    pub org: OrgId,
    /// The run.
    pub run: RunId,
}

/// Fire the rules of a project: an item entered a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FireRules {
    /// Organization.
    pub org: OrgId,
    /// The item.
    pub item: ItemKey,
    /// The state that it entered.
    pub state: String,
    /// When.
    pub at: Timestamp,
    /// Which entry this is: what is recorded of it is named by it.
    pub id: Uuid,
    /// The run that moved it.
    pub run: Option<RunId>,
    /// Who moved it; nobody where the service did, or a server of an earlier version says so.
    #[serde(default)]
    pub by: Option<ActorId>,
}

/// Start the run that the next mention of an agent asks for, if the item is free.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnswerMentions {
    /// Organization.
    pub org: OrgId,
    /// The item.
    pub item: ItemKey,
}

/// Move items out of a sprint that is over, if any are left in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SettleSprint {
    /// Organization.
    pub org: OrgId,
    /// Project.
    pub project: ProjectKey,
    /// The sprint.
    pub sprint: SprintId,
    /// Its name, for the history of the items.
    pub name: String,
    /// Who ended it.
    pub by: Actor,
}

/// Plan the subtasks of an item where the item is, if any are left behind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FollowItem {
    /// Organization.
    pub org: OrgId,
    /// The item.
    pub item: ItemKey,
    /// Id of the sprint that it was in.
    pub from: Option<String>,
    /// Who moved it.
    pub by: Actor,
    /// When: subtasks that somebody planned since stay where they are. Older messages do not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
}

/// Note in these items whether one that blocks them is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NoteBlockers {
    /// Organization.
    pub org: OrgId,
    /// The items that may be blocked.
    pub items: Vec<ItemKey>,
    /// Who changed what blocks them.
    pub by: Option<Actor>,
}

/// Note the same in whatever is blocked by items of a project that are in these states: the states were work to do, and
/// are done now, or the other way round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NoteBlockersOfStates {
    /// Organization.
    pub org: OrgId,
    /// Project.
    pub project: ProjectKey,
    /// Names of the states; none where it is all of them, because the project was deleted or restored.
    pub states: Vec<String>,
    /// Who changed the workflow.
    pub by: Option<Actor>,
}

/// Move the rest of the pages below one that was moved, if any are left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FinishPageMove {
    /// Organization.
    pub org: OrgId,
    /// Project.
    pub project: ProjectKey,
}

/// Bring what hangs on an item to its new key, if any of it is left at the old one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FinishTransfer {
    /// Organization.
    pub org: OrgId,
    /// The old key.
    pub from: ItemKey,
}

/// Mail the link of an invitation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MailInvitation {
    /// Organization.
    pub org: OrgId,
    /// The invitation.
    pub invitation: InvitationId,
    /// Which of its links: each link that is sent replaces the one before.
    pub generation: u32,
}

/// Mail a link to choose a new password, if there is an account of the address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MailPasswordReset {
    /// The address.
    pub email: String,
}

/// Mail the link that confirms a new address, and tell the old one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MailNewAddress {
    /// The account.
    pub user: UserId,
    /// The new address.
    pub email: String,
}

/// Pack a project's feed, so that a process that starts cold reads it at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PackFeed {
    /// Organization.
    pub org: OrgId,
    /// The project.
    pub project: ProjectKey,
}

/// Bring the copies of an account's name and address up to date.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SpreadProfile {
    /// The account.
    pub user: UserId,
}

/// Bring the name of an agent up to date in the items that name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SpreadAgentName {
    /// Organization.
    pub org: OrgId,
    /// The agent.
    pub agent: AgentId,
}

/// Send what is due at a destination.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Deliver {
    /// Where.
    pub destination: Destination,
}

/// Tell whose channel it is that it is broken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TellBroken {
    /// The channel.
    pub destination: Destination,
    /// What this time that it broke is known by: nobody is told of it twice. Absent in messages of older servers.
    #[serde(default)]
    pub id: Uuid,
}

/// Send what a webhook tells, or send it again, if it waits for that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeliverWebhook {
    /// Organization.
    pub org: OrgId,
    /// The webhook.
    pub webhook: WebhookId,
    /// The delivery.
    pub delivery: DeliveryId,
}

#[cfg(test)]
mod tests {
    use super::{Message, PackFeed};
    use svc_domain::ids::OrgId;
    use uuid::Uuid;

    /// Workers of an older and a newer version read each other's messages.
    #[test]
    fn a_message_is_its_fields_and_its_kind() {
        let message = Message::from(PackFeed { org: OrgId(Uuid::nil()), project: "PRJ".parse().unwrap() });
        let text = r#"{"kind":"packFeed","org":"00000000-0000-0000-0000-000000000000","project":"PRJ"}"#;
        assert_eq!(serde_json::to_string(&message).unwrap(), text);
        assert_eq!(serde_json::from_str::<Message>(text).unwrap(), message);
        let counted = text.replace("}", r#","attempts":3}"#);
        assert_eq!(
            serde_json::from_str::<Message>(&counted).unwrap(),
            message,
            "what a retry adds is no matter"
        );
    }
}
