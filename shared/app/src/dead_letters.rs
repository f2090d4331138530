//! Dead letters: messages that workers gave up on. Each stays as a row until somebody has fixed the cause and sends
//! it again.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use svc_storage::{Condition, Op, Query, Range, Row, keys};

use crate::App;
use crate::error::Result;
use crate::transaction::Transaction;

/// A message that was given up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeadLetter {
    /// When it was given up.
    pub at: Timestamp,
    /// The message as it was in the queue.
    pub body: String,
    /// How often it was tried.
    pub attempts: u32,
    /// Why the last attempt failed.
    pub why: String,
}

impl DeadLetter {
    /// How often it was tried, such as `1 attempt`.
    pub fn tried(&self) -> String {
        format!("{} attempt{}", self.attempts, if self.attempts == 1 { "" } else { "s" })
    }
}

/// Gives a message up.
///
/// # Errors
/// Those of storage.
pub async fn bury(app: &App, body: &str, attempts: u32, why: &str) -> Result<()> {
    let letter = DeadLetter { at: app.now(), body: body.to_owned(), attempts, why: why.to_owned() };
    let key = keys::dead_letter(letter.at.as_millisecond(), app.uuid());
    app.commit(Transaction::bookkeeping(app).with([Op::create(key, &letter)])).await
}

/// Every message that was given up, oldest first.
///
/// # Errors
/// Those of storage.
pub async fn list(app: &App) -> Result<Vec<DeadLetter>> {
    Ok(rows(app).await?.iter().map(Row::read).collect::<Result<_, _>>()?)
}

/// Sends every message again that was given up; answers how many. One that is cut off in the middle is sent twice,
/// which is harmless.
///
/// # Errors
/// Those of storage.
pub async fn replay(app: &App) -> Result<usize> {
    let rows = rows(app).await?;
    for row in &rows {
        let letter: DeadLetter = row.read()?;
        app.queue.send(&letter.body, std::time::Duration::ZERO).await?;
        let gone = Op::delete(row.key.clone(), Condition::None);
        app.commit(Transaction::bookkeeping(app).with([gone])).await?;
    }
    Ok(rows.len())
}

async fn rows(app: &App) -> Result<Vec<Row>> {
    Ok(app.table.query_all(Query::new(keys::DEAD_LETTERS_PK, Range::All, 1_000)).await?)
}
