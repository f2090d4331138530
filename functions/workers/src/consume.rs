//! The consumer of the queue.
//!
//! Protocol.
//! 1. Of messages received together, those of one subject are handled one after the other, in the order in which they
//!    came; different subjects at the same time.
//! 2. What succeeds is acknowledged. What fails is sent again with a delay that doubles, and counts its attempts in
//!    itself; only then is it acknowledged. A crash in between delivers it twice, which is harmless.
//! 3. What failed [`ATTEMPTS`] times becomes a dead letter: a row that `svc-server check` and `svc-server doctor` name,
//!    and `svc-server replay` sends again.
//! 4. A message of a kind that this worker does not know is a newer server's. It is sent again likewise, for about a
//!    week, so that a newer worker handles it; then it becomes a dead letter.

use std::pin::pin;
use std::time::Duration;

use futures::future::join_all;
use serde_json::Value;
use svc_app::factory::timers;
use svc_app::{App, dead_letters, outbox};
use svc_storage::Message;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::Knows;

/// How long one request for messages waits.
const WAIT: Duration = Duration::from_secs(10);
/// Messages received at once.
const BATCH: usize = 10;
/// How long a message may still arrive that was taken from the queue when told to stop. Left behind, it would be
/// hidden from everybody for a while.
const ON_ITS_WAY: Duration = Duration::from_millis(200);
/// How long to rest when the queue does not answer.
const REST: Duration = Duration::from_secs(1);

/// Attempts before a message is given up: about two hours of them.
const ATTEMPTS: u32 = 15;
/// Attempts at a message of an unknown kind: about a week.
const UNKNOWN_ATTEMPTS: u32 = 680;
/// Delay after the first failure.
const FIRST_DELAY: Duration = Duration::from_secs(2);
/// Longest delay between two attempts.
const LONGEST_DELAY: Duration = Duration::from_secs(15 * 60);
/// Where a message counts its attempts.
const COUNT: &str = "attempts";

/// Handles messages until told to stop.
pub(crate) async fn run(app: &App, mut stopping: watch::Receiver<bool>, knows: Knows) {
    while !*stopping.borrow() {
        let mut receiving = pin!(app.queue.receive(BATCH, WAIT));
        let received = tokio::select! {
            received = &mut receiving => received,
            () = told(&mut stopping) => match timeout(ON_ITS_WAY, receiving).await {
                Ok(received) => received,
                Err(_) => return,
            },
        };
        match received {
            Ok(messages) => handle_all(app, messages, knows).await,
            Err(error) => {
                tracing::warn!(%error, "the queue does not answer");
                tokio::select! {
                    () = tokio::time::sleep(REST) => {}
                    () = told(&mut stopping) => return,
                }
            }
        }
    }
}

async fn told(stopping: &mut watch::Receiver<bool>) {
    let _ = stopping.wait_for(|stop| *stop).await;
}

/// A message as read: what to do, or why nobody here can.
struct Read {
    body: String,
    receipt: String,
    attempts: u32,
    known: Result<outbox::Message, String>,
}

impl Read {
    fn of(message: Message, knows: Knows) -> Self {
        let Message { body, receipt, .. } = message;
        let value: Value = serde_json::from_str(&body).unwrap_or_default();
        let count = value[COUNT].as_u64().and_then(|count| u32::try_from(count).ok()).unwrap_or(0);
        let kind = value["kind"].as_str().unwrap_or_default().to_owned();
        let known = if knows(&kind) {
            serde_json::from_value(value).map_err(|error| format!("it cannot be read: {error}"))
        } else {
            Err(format!("a message of the unknown kind {kind:?}"))
        };
        Self { body, receipt, attempts: count + 1, known }
    }

    fn subject(&self) -> String {
        self.known.as_ref().map_or_else(|_| self.receipt.clone(), outbox::Message::subject)
    }
}

/// Handles messages that were received together.
pub(crate) async fn handle_all(app: &App, messages: Vec<Message>, knows: Knows) {
    let mut subjects: Vec<(String, Vec<Read>)> = Vec::new();
    for read in messages.into_iter().map(|message| Read::of(message, knows)) {
        let subject = read.subject();
        match subjects.iter_mut().find(|(known, _)| *known == subject) {
            Some((_, queued)) => queued.push(read),
            None => subjects.push((subject, vec![read])),
        }
    }
    let in_order = subjects.into_iter().map(|(_, queued)| async move {
        for read in queued {
            handle(app, &read).await;
        }
    });
    join_all(in_order).await;
}

/// Handles one message. It is acknowledged once its work is done, or it is somewhere else.
async fn handle(app: &App, read: &Read) {
    let settled = match &read.known {
        Ok(message) => match timers::handle(app, message).await {
            Ok(()) => Ok(()),
            Err(error) => put_off(app, read, ATTEMPTS, &error.to_string()).await,
        },
        Err(why) => put_off(app, read, UNKNOWN_ATTEMPTS, why).await,
    };
    let acknowledged = match settled {
        Ok(()) => app.queue.ack(&read.receipt).await.map_err(svc_app::Error::from),
        Err(error) => Err(error),
    };
    if let Err(error) = acknowledged {
        tracing::warn!(%error, "a message was not acknowledged and comes again");
    }
}

/// Sends a message again later, or gives it up.
async fn put_off(app: &App, read: &Read, most: u32, why: &str) -> svc_app::Result<()> {
    let attempts = read.attempts;
    let counted = with_count(&read.body, attempts);
    match counted.filter(|_| attempts < most) {
        Some(body) => {
            tracing::warn!(why, attempts, "a message is tried again later");
            Ok(app.queue.send(&body, delay(attempts)).await?)
        }
        None => {
            tracing::error!(why, attempts, "a message is given up: see `svc-server doctor`");
            dead_letters::bury(
                app,
                &with_count(&read.body, 0).unwrap_or_else(|| read.body.clone()),
                attempts,
                why,
            )
            .await
        }
    }
}

/// The body with a count of attempts; `None` where it is no object.
fn with_count(body: &str, attempts: u32) -> Option<String> {
    let mut value: Value = serde_json::from_str(body).ok()?;
    value.as_object_mut()?.insert(COUNT.to_owned(), attempts.into());
    Some(value.to_string())
}

fn delay(attempts: u32) -> Duration {
    FIRST_DELAY.saturating_mul(2_u32.saturating_pow(attempts.saturating_sub(1))).min(LONGEST_DELAY)
}

#[cfg(test)]
mod tests {
    use super::{delay, with_count};
    use std::time::Duration;

    #[test]
    fn delays_double_and_end() {
        let delays: Vec<u64> = [1, 2, 3, 9, 10, 40].map(|attempts| delay(attempts).as_secs()).into();
        assert_eq!(delays, [2, 4, 8, 512, 900, 900]);
        assert_eq!(delay(u32::MAX), Duration::from_secs(900));
    }

    #[test]
    fn a_message_counts_its_attempts_beside_what_it_says() {
        assert_eq!(with_count(r#"{"kind":"x","a":1}"#, 3).unwrap(), r#"{"a":1,"attempts":3,"kind":"x"}"#);
        assert_eq!(with_count("no object", 1), None);
    }
}
