//! Messages to workers that must not be lost: written in the same commit as what they follow from, sent
//! right after it, and swept by the tick when a crash came between.
//!
//! Protocol.
//! 1. A commit writes an outbox row beside its other rows.
//! 2. After the commit the message is sent, then its row is deleted.
//! 3. The tick sends and deletes rows that are older than [`ABANDONED`]. A message may so be sent twice;
//!    handlers look at the rows again and decide, so that a second one does nothing.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use svc_domain::ids::{CommentId, InvitationId, ItemKey, OrgId, ProjectKey, RunId, UserId};
use svc_storage::{Condition, Key, Op, Query, Range, keys};
use uuid::Uuid;

use crate::App;
use crate::error::Result;
use crate::tracker::moves::Following;
use crate::tracker::sprints::Leaving;
use crate::transaction::Transaction;

/// A row this old was left by a crash.
const ABANDONED: SignedDuration = SignedDuration::from_secs(30);

/// Rows that one sweep reads of a shard.
const SWEEP: usize = 100;

/// What a worker is told. A worker that does not know a message leaves it to a newer one. Fields may be added: who
/// retries a message adds how often it was tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum Message {
    /// Look whether the runner of this run is still there.
    WatchRun {
        /// Organization.
        org: OrgId,
        /// The run.
        run: RunId,
    },
    /// Clear what is left of the reactions to a deleted comment.
    ClearReactions {
        /// Organization.
        org: OrgId,
        /// The item that it was on.
        item: ItemKey,
        /// The comment.
        comment: CommentId,
    },
    /// Go on with the replacement of a label or state in the items of a project.
    ReplaceInItems {
        /// Organization.
        org: OrgId,
        /// Project.
        project: ProjectKey,
        /// The replacement.
        id: Uuid,
    },
    /// Release what the agent of this run claimed beside its item, now that it is over.
    ReleaseLeftovers {
        /// Organization.
        org: OrgId,
        /// The run.
        run: RunId,
    },
    /// Continue this failed run, if nothing else has happened to its item since.
    ContinueRun {
        /// Organization.
        org: OrgId,
        /// The run.
        run: RunId,
    },
    /// Move items out of a sprint that is over, if any are left in it.
    SettleSprint(Leaving),
    /// Plan the subtasks of an item where the item is, if any are left behind.
    FollowItem(Following),
    /// Move the rest of the pages below one that was moved, if any are left.
    FinishPageMove {
        /// Organization.
        org: OrgId,
        /// Project.
        project: ProjectKey,
    },
    /// Mail the link of an invitation.
    MailInvitation {
        /// Organization.
        org: OrgId,
        /// The invitation.
        invitation: InvitationId,
        /// Of the link.
        generation: u32,
    },
    /// Mail a link to choose a new password, if there is an account of the address.
    MailPasswordReset {
        /// The address.
        email: String,
    },
    /// Mail the link that confirms a new address, and tell the old one.
    MailNewAddress {
        /// The account.
        user: UserId,
        /// The new address.
        email: String,
    },
    /// Pack a project's feed for those who start cold.
    PackFeed {
        /// Organization.
        org: OrgId,
        /// The project.
        project: ProjectKey,
    },
    /// Bring the copies of an account's name and address up to date.
    SpreadProfile {
        /// The account.
        user: UserId,
    },
}

impl Message {
    /// What it is about: messages of one subject are handled one after the other, in the order in which they came.
    pub fn subject(&self) -> String {
        match self {
            Self::WatchRun { run, .. }
            | Self::ContinueRun { run, .. }
            | Self::ReleaseLeftovers { run, .. } => format!("run {run}"),
            Self::ClearReactions { item, org, .. } => format!("item {org} {item}"),
            Self::FollowItem(following) => format!("item {} {}", following.org, following.item),
            Self::ReplaceInItems { org, project, .. }
            | Self::FinishPageMove { org, project }
            | Self::PackFeed { org, project } => format!("project {org} {project}"),
            Self::SettleSprint(leaving) => format!("project {} {}", leaving.org, leaving.project),
            Self::MailInvitation { invitation, .. } => format!("invitation {invitation}"),
            Self::MailPasswordReset { email } => format!("address {email}"),
            Self::MailNewAddress { user, .. } | Self::SpreadProfile { user } => format!("account {user}"),
        }
    }
}

/// A message on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    row: Key,
    record: Record,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Record {
    message: Message,
    due: Timestamp,
}

impl Outgoing {
    /// A message that shall arrive after a delay.
    pub fn new(app: &App, message: Message, delay: SignedDuration) -> Self {
        let (now, id) = (app.now(), app.uuid());
        let shard = u32::try_from(id.as_u128() % u128::from(keys::OUTBOX_SHARDS)).unwrap_or(0);
        let due = now.saturating_add(delay).unwrap_or(Timestamp::MAX);
        Self { row: keys::outbox(shard, now.as_millisecond(), id), record: Record { message, due } }
    }

    /// The operation that keeps it from being lost, for the commit.
    pub fn op(&self) -> Op {
        Op::create(self.row.clone(), &self.record)
    }

    /// Sends it after the commit. A failure is logged: the tick sends it again.
    pub async fn send(self, app: &App) {
        if let Err(error) = deliver(app, self.row, &self.record).await {
            tracing::warn!(%error, "a message waits in the outbox");
        }
    }
}

/// Sends a message that may be lost, because the tick does its work later.
pub async fn send_hint(app: &App, message: &Message, delay: SignedDuration) {
    if let Err(error) = enqueue(app, message, delay).await {
        tracing::warn!(%error, "a timer was not set; the tick does its work");
    }
}

/// Sends what crashes left in the outbox; answers how many messages.
///
/// # Errors
/// Those of storage.
pub async fn sweep(app: &App) -> Result<usize> {
    let before = keys::sortable((app.now() - ABANDONED).as_millisecond());
    let mut sent = 0;
    for shard in 0..keys::OUTBOX_SHARDS {
        let range = Range::Between("0".to_owned(), before.clone());
        for row in app.table.query(&Query::new(keys::outbox_pk(shard), range, SWEEP)).await?.rows {
            deliver(app, row.key.clone(), &row.read()?).await?;
            sent += 1;
        }
    }
    Ok(sent)
}

async fn deliver(app: &App, row: Key, record: &Record) -> Result<()> {
    enqueue(app, &record.message, record.due.duration_since(app.now())).await?;
    // A commit sends the messages of its own events, and so comes back here.
    Box::pin(app.commit(Transaction::bookkeeping(app).with([Op::delete(row, Condition::None)]))).await
}

async fn enqueue(app: &App, message: &Message, delay: SignedDuration) -> Result<()> {
    let body = serde_json::to_string(message).map_err(|error| {
        svc_storage::StorageError::Corrupt(format!("a message cannot be written: {error}"))
    })?;
    Ok(app.queue.send(&body, positive(delay)).await?)
}

/// The delay, or none where its time has passed.
fn positive(delay: SignedDuration) -> std::time::Duration {
    std::time::Duration::try_from(delay).unwrap_or_default()
}
