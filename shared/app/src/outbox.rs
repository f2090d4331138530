//! Messages to workers that must not be lost: written in the same commit as what they follow from, sent
//! right after it, and swept by the tick when a crash came between.
//!
//! Protocol.
//! 1. A commit writes an outbox row beside its other rows.
//! 2. After the commit the message is sent, then its row is deleted.
//! 3. The tick sends and deletes rows that are older than [`ABANDONED`]. A message may so be sent twice;
//!    handlers look at the rows again and decide, so that a second one does nothing. Messages of newer servers are sent
//!    as they are: that a worker knows them is not asked here.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_storage::{Condition, Key, Op, Query, Range, keys};
use uuid::Uuid;

use crate::App;
use crate::error::Result;
use crate::messages::Message;
use crate::transaction::Transaction;

/// A row this old was left by a crash.
const ABANDONED: SignedDuration = SignedDuration::from_secs(30);

/// Rows that one sweep reads of a shard.
const SWEEP: usize = 100;

/// A message on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    row: Key,
    record: Record,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Record<M = Message> {
    message: M,
    due: Timestamp,
}

/// A row of the outbox as any server wrote it.
pub(crate) type Unsent = Record<Value>;

impl Outgoing {
    /// A message that arrives after a delay.
    pub fn new(app: &App, message: impl Into<Message>, delay: SignedDuration) -> Self {
        Self::named(app, app.uuid(), message, delay)
    }

    /// The message about the whole commit of this id, which names its row.
    pub(crate) fn of_commit(app: &App, commit: Uuid, message: impl Into<Message>) -> Self {
        Self::named(app, commit, message, SignedDuration::ZERO)
    }

    fn named(app: &App, id: Uuid, message: impl Into<Message>, delay: SignedDuration) -> Self {
        let now = app.now();
        let shard = u32::try_from(id.as_u128() % u128::from(keys::OUTBOX_SHARDS)).unwrap_or(0);
        let due = now.saturating_add(delay).unwrap_or(Timestamp::MAX);
        Self {
            row: keys::outbox(shard, now.as_millisecond(), id),
            record: Record { message: message.into(), due },
        }
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
pub async fn send_hint(app: &App, message: impl Into<Message>, delay: SignedDuration) {
    let message: Message = message.into();
    if let Err(error) = enqueue(app, &message, delay).await {
        tracing::warn!(%error, "a timer was not set; the tick does its work");
    }
}

/// Sends a message that needs no row, because what it follows from stays until it is sent.
///
/// # Errors
/// Those of the queue.
pub async fn send_now(app: &App, message: impl Into<Message>) -> Result<()> {
    enqueue(app, &message.into(), SignedDuration::ZERO).await
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
            match row.read::<Unsent>() {
                Ok(unsent) => deliver(app, row.key, &unsent).await?,
                Err(error) => {
                    tracing::error!(%error, "a message in the outbox cannot be read and stays there");
                    continue;
                }
            }
            sent += 1;
        }
    }
    Ok(sent)
}

async fn deliver<M: Serialize + Sync>(app: &App, row: Key, record: &Record<M>) -> Result<()> {
    enqueue(app, &record.message, record.due.duration_since(app.now())).await?;
    // A commit sends the messages of its own events, and so comes back here.
    Box::pin(app.commit(Transaction::bookkeeping(app).with([Op::delete(row, Condition::None)]))).await
}

async fn enqueue(app: &App, message: &(impl Serialize + Sync), delay: SignedDuration) -> Result<()> {
    let body = serde_json::to_string(message).map_err(|error| {
        svc_storage::StorageError::Corrupt(format!("a message cannot be written: {error}"))
    })?;
    Ok(app.queue.send(&body, positive(delay)).await?)
}

/// The delay, or none where its time has passed.
fn positive(delay: SignedDuration) -> std::time::Duration {
    std::time::Duration::try_from(delay).unwrap_or_default()
}
