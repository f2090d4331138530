//! The queue port on SQLite: a row per message, due at a time. Receiving makes it due again after the
//! visibility time-out, so that a receiver that died loses nothing.
//!
//! The protocol of a receiver:
//!
//! 1. It subscribes to `sent`, so that it misses no message between looking and waiting.
//! 2. A reader looks for the earliest due time: an idle receiver never troubles the writer.
//! 3. When a message is due, the writer takes it: it moves the due time and counts the attempt in one transaction. Of
//!    two receivers, one gets it. The receipt names the message and the attempt. A worker that needs long moves the due
//!    time again.
//! 4. Otherwise it waits for the first of: a message sent by this process, the earliest due time, the poll interval
//!    (another process may have sent one), and the caller's timeout. Then it looks again.

use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, params};
use svc_storage::{MAX_MESSAGE_BYTES, Message, Queue, StorageError};
use tokio::time::Instant;

use crate::engine::Engine;
use crate::error::database;

/// The queue port on an SQLite file. [`SqliteStore::queue`](crate::SqliteStore::queue) makes one.
pub struct SqliteQueue {
    engine: Arc<Engine>,
}

impl SqliteQueue {
    pub(crate) const fn new(engine: Arc<Engine>) -> Self {
        Self { engine }
    }

    fn now(&self) -> i64 {
        self.engine.now().as_millisecond()
    }

    /// Milliseconds until a message is due; nothing when there is no message.
    fn next_due(&self) -> Result<Option<i64>, StorageError> {
        let due: Option<i64> = self.engine.readers.read(|conn| {
            conn.prepare_cached("SELECT min(due) FROM message")
                .and_then(|mut select| select.query_row([], |row| row.get(0)))
                .map_err(database)
        })?;
        Ok(due.map(|due| due.saturating_sub(self.now())))
    }
}

#[async_trait::async_trait]
impl Queue for SqliteQueue {
    async fn send(&self, body: &str, delay: Duration) -> Result<(), StorageError> {
        if body.len() > MAX_MESSAGE_BYTES {
            return Err(StorageError::TooLarge {
                what: "message",
                size: body.len(),
                limit: MAX_MESSAGE_BYTES,
            });
        }
        let body = body.to_owned();
        let due = after(self.now(), delay);
        self.engine.writer.write(move |conn| insert(conn, &body, due).map_err(database)).await?;
        self.engine.sent.notify_waiters();
        Ok(())
    }

    async fn receive(&self, max: usize, wait: Duration) -> Result<Vec<Message>, StorageError> {
        let patience = Instant::now() + wait;
        let max = u8::try_from(max).map_or(10, |max| max.clamp(1, 10));
        loop {
            let sent = self.engine.sent.notified();
            tokio::pin!(sent);
            sent.as_mut().enable();

            let mut pause = self.engine.options.poll;
            match self.next_due()? {
                Some(..=0) => {
                    let now = self.now();
                    let hidden = after(now, self.engine.options.visibility);
                    let take = move |conn: &Connection| take(conn, max, now, hidden).map_err(database);
                    let messages = self.engine.writer.write(take).await?;
                    if !messages.is_empty() {
                        return Ok(messages);
                    }
                    // Another receiver was quicker.
                    continue;
                }
                Some(ms) => pause = pause.min(Duration::from_millis(ms.unsigned_abs())),
                None => {}
            }
            let left = patience.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(Vec::new());
            }
            // Running out of time is one of the things waited for.
            let _ = tokio::time::timeout(pause.min(left), sent).await;
        }
    }

    async fn hide(&self, receipt: &str, time: Duration) -> Result<(), StorageError> {
        let Some((id, attempts)) = parts(receipt) else { return Ok(()) };
        let due = after(self.now(), time);
        self.engine.writer.write(move |conn| put_off(conn, id, attempts, due).map_err(database)).await
    }

    async fn ack(&self, receipt: &str) -> Result<(), StorageError> {
        let Some((id, attempts)) = parts(receipt) else { return Ok(()) };
        self.engine.writer.write(move |conn| remove(conn, id, attempts).map_err(database)).await
    }
}

/// A moment in milliseconds of the Unix epoch, or the end of time.
fn after(now: i64, delay: Duration) -> i64 {
    i64::try_from(delay.as_millis()).map_or(i64::MAX, |delay| now.saturating_add(delay))
}

/// The message and the attempt that a receipt names. No message ever had a receipt of another form.
fn parts(receipt: &str) -> Option<(i64, u32)> {
    let (id, attempts) = receipt.split_once('.')?;
    Some((id.parse().ok()?, attempts.parse().ok()?))
}

fn insert(conn: &Connection, body: &str, due: i64) -> rusqlite::Result<()> {
    conn.prepare_cached("INSERT INTO message (due, attempts, body) VALUES (?1, 0, ?2)")?
        .execute(params![due, body])?;
    Ok(())
}

fn take(conn: &Connection, max: u8, now: i64, hidden: i64) -> rusqlite::Result<Vec<Message>> {
    conn.prepare_cached(
        "UPDATE message SET due = ?3, attempts = attempts + 1
         WHERE id IN (SELECT id FROM message WHERE due <= ?2 ORDER BY due, id LIMIT ?1)
         RETURNING id, attempts, body",
    )?
    .query_map(params![max, now, hidden], |row| {
        let (id, attempts): (i64, u32) = (row.get(0)?, row.get(1)?);
        Ok(Message { receipt: format!("{id}.{attempts}"), body: row.get(2)?, attempts })
    })?
    .collect()
}

fn put_off(conn: &Connection, id: i64, attempts: u32, due: i64) -> rusqlite::Result<()> {
    conn.prepare_cached("UPDATE message SET due = ?3 WHERE id = ?1 AND attempts = ?2")?
        .execute(params![id, attempts, due])?;
    Ok(())
}

fn remove(conn: &Connection, id: i64, attempts: u32) -> rusqlite::Result<()> {
    conn.prepare_cached("DELETE FROM message WHERE id = ?1 AND attempts = ?2")?
        .execute(params![id, attempts])?;
    Ok(())
}
