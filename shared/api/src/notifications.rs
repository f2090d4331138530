//! What people are told: the entries of their inboxes, what they want to be told of, and their channels (specification
//! section 2.7).

mod channels;
mod preferences;
mod push;

pub use channels::*;
pub use preferences::*;
pub use push::*;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::identity::Actor;

/// Why somebody is told of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum NotificationKind {
    /// An item was assigned to you.
    Assigned,
    /// A comment mentions you.
    Mentioned,
    /// There is a comment on an item that you watch.
    Commented,
    /// An item that you watch moved to another state.
    Transitioned,
    /// Somebody began to work on an item that you watch.
    Claimed,
    /// A sprint of your team was started.
    SprintStarted,
    /// A sprint of your team was completed.
    SprintCompleted,
    /// A page of the wiki mentions you.
    WikiMentioned,
    /// Somebody whom you invited joined.
    InviteAccepted,
    /// Somebody replied in a thread that you began.
    Replied,
    /// Somebody reacted to your comment.
    Reacted,
    /// A run succeeded.
    RunSucceeded,
    /// A run failed.
    RunFailed,
    /// An agent asks, or proposes something to confirm.
    RunNeedsInput,
    /// A webhook of an organization that you administer was disabled, because its deliveries failed.
    WebhookDisabled,
    /// A chat takes no messages any more: yours, or one of an organization that you administer.
    ChannelBroken,
    /// A run that you asked for, or of an item that is assigned to you, waits longer than 15 minutes.
    RunWaiting,
    /// A runner that you made went offline while work is queued that it could do.
    RunnerOffline,
    /// 80 % of a day's budget are used in an organization that you administer.
    BudgetNearlyUsed,
    /// A schedule that you saved, or of a project that you administer, paused itself.
    SchedulePaused,
    /// A kind that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// Query of the inbox (`GET /me/notifications`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotificationQuery {
    /// Only entries with something unread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread: Option<bool>,
    /// Only entries in which a run waits for you: for an answer, a confirmation, or what to do about its failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needs_you: Option<bool>,
    /// The entries that you are done with, in place of the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done: Option<bool>,
    /// Maximum number of entries, 1 to 200, clamped; 100 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Only entries that come after the one with this `at` and the id in `afterId`: the next page follows the last entry
    /// of the one before. Entries that get news meanwhile go to the beginning of the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Timestamp>,
    /// Id of that entry; together with `after` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_id: Option<String>,
}

/// An entry of an inbox: what is new about one thing, such as an item, a sprint, a page or a runner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Notification {
    /// Id.
    pub id: String,
    /// Version; it rises with each news.
    pub version: u64,
    /// Id of the organization.
    pub organization_id: String,
    /// Slug of the organization.
    pub organization: String,
    /// What concerns you most of what is unread; of an entry that is read, its newest.
    pub kind: NotificationKind,
    /// What is unread in a few words, or the newest.
    pub summary: String,
    /// Key of the item that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item_key: Option<String>,
    /// Id of the run, where the newest news of one is about its end or its questions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    /// Key of the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Id of the sprint that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprint_id: Option<String>,
    /// Path of the page of the wiki that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    /// Title of the item, path of the page, the invited address, or the name of what it is about.
    pub title: String,
    /// When the newest came.
    pub at: Timestamp,
    /// Whether everything in it is read.
    pub read: bool,
    /// How many news in it are unread.
    pub unread_count: u64,
    /// Whether you are done with it. News open it again.
    pub done: bool,
    /// Whether a run waits for you: for an answer, a confirmation, or what to do about its failure.
    pub needs_you: bool,
    /// What is new, newest first, at most 50.
    pub news: Vec<News>,
}

/// One thing that somebody is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct News {
    /// Why you are told.
    pub kind: NotificationKind,
    /// When it happened.
    pub at: Timestamp,
    /// Who did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Actor>,
    /// Id of the comment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment_id: Option<String>,
    /// Id of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    /// The state that the item moved to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The emoji of a reaction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emoji: Option<String>,
}

/// How much there is to look at in an inbox (`GET /me/notifications/counts`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotificationCounts {
    /// Entries with something unread.
    pub unread: u64,
    /// Entries in which a run waits for you.
    pub needs_you: u64,
}

/// Marks an entry (`PATCH /me/notifications/{id}`).
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({ "version": 3, "done": true }))]
pub struct MarkNotification {
    /// The version last read. With another one nothing is marked: there is news that you have not seen.
    pub version: u64,
    /// Whether it is read; `false` makes its newest unread.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub read: Option<bool>,
    /// Whether you are done with it: `true` marks it as read as well.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub done: Option<bool>,
}
