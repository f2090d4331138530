//! One attempt to handle a message, and what happens to the message afterwards.
//!
//! Protocol.
//! 1. A handled message may be acknowledged. A message that wants to come again is sent again first.
//! 2. A failed message is sent again, with a growing delay, and carries its count of attempts. Only then may it
//!    be acknowledged. A crash in between delivers it twice, which is harmless.
//! 3. A message that has failed as often as its kind allows becomes a dead letter: a row that `svc-server check`
//!    and `svc-server doctor` list and `svc-server replay` sends again. So does a message that crashes its worker
//!    each time: the queue counts how often it was received.
//! 4. A message that finds too many before it is sent again too, and keeps its count: it was no attempt.
//! 5. A message of an unknown kind comes from a newer server. It is sent again in the same way, for about a week,
//!    so that a newer worker can handle it; then it becomes a dead letter.

use std::iter::successors;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures::FutureExt as _;
use serde_json::{Map, Value};
use svc_app::messages::Message;
use svc_app::{App, Result, dead_letters};
use tokio::time::timeout;

use crate::Knows;
use crate::messages::{Done, handler};
use crate::retries::Retries;
use crate::shares::Share;

/// How long one attempt may take.
const LONGEST_ATTEMPT: Duration = Duration::from_mins(5);
/// Where a message counts its attempts.
const COUNT: &str = "attempts";
/// Where it counts how often it found too many before it.
const TURNS: &str = "turns";

/// A message as received: what to do, or why nobody here can.
pub(crate) struct Attempt {
    body: String,
    kind: String,
    /// The first attempt is 1.
    number: u32,
    known: Result<Message, String>,
}

impl Attempt {
    /// At a message that the queue has delivered so often, this time included.
    pub(crate) fn of(body: String, delivered: u32, knows: Knows) -> Self {
        let value: Value = serde_json::from_str(&body).unwrap_or_default();
        let counted = value.as_object().map_or(0, |fields| count(fields, COUNT));
        let kind = value["kind"].as_str().unwrap_or_default().to_owned();
        let known = if knows(&kind) {
            serde_json::from_value(value).map_err(|error| format!("it cannot be read: {error}"))
        } else {
            Err(format!("a message of the unknown kind {kind:?}"))
        };
        Self { body, kind, number: counted.saturating_add(delivered), known }
    }

    /// The shares that it takes, if this worker can read it: that of its subject first.
    pub(crate) fn shares(&self) -> Option<Vec<Share>> {
        let handler = handler(self.known.as_ref().ok()?);
        Some([vec![Share::subject(handler.subject())], handler.shares()].concat())
    }

    /// Sends the message again, because too many are before it. It may then be acknowledged.
    ///
    /// # Errors
    /// When it could not be sent again.
    pub(crate) async fn stand_back(&self, app: &App) -> Result<()> {
        let mut fields = self.fields().unwrap_or_default();
        let times = count(&fields, TURNS).saturating_add(1);
        fields.insert(COUNT.to_owned(), self.number.saturating_sub(1).into());
        fields.insert(TURNS.to_owned(), times.into());
        Ok(app.queue.send(&Value::Object(fields).to_string(), Retries::TURNS.delay(times)).await?)
    }

    /// Makes the attempt. The message may then be acknowledged: its work is done, or it is somewhere else.
    ///
    /// # Errors
    /// When the message could not be sent again or kept: it must not be acknowledged.
    pub(crate) async fn make(&self, app: &App) -> Result<()> {
        let (retries, outcome) = match &self.known {
            Ok(message) => {
                let retries = handler(message).retries();
                // Its worker never came to count: the message takes the process down each time.
                let outcome = if self.number > retries.attempts {
                    Err("its worker stopped in the middle of it each time".to_owned())
                } else {
                    guarded(handler(message).handle(app)).await
                };
                (retries, outcome)
            }
            Err(why) => (Retries::UNKNOWN, Err(why.clone())),
        };
        match outcome {
            Ok(Done::Finished) => Ok(()),
            Ok(Done::Again(delay)) => Ok(app.queue.send(&self.counting(0), delay).await?),
            Err(why) => self.put_off(app, retries, &why).await,
        }
    }

    /// Sends the message again later, or gives it up.
    async fn put_off(&self, app: &App, retries: Retries, why: &str) -> Result<()> {
        let (kind, attempts) = (&self.kind, self.number);
        // What is no object is no message of any version.
        if attempts < retries.attempts && self.fields().is_some() {
            let delay = retries.delay(attempts);
            tracing::warn!(kind, attempts, seconds = delay.as_secs(), why, "a message is tried again later");
            return Ok(app.queue.send(&self.counting(attempts), delay).await?);
        }
        tracing::error!(kind, attempts, why, "a message is given up: see `svc-server doctor`");
        dead_letters::bury(app, &self.counting(0), attempts, why).await
    }

    /// What it says; nothing where it is no object.
    fn fields(&self) -> Option<Map<String, Value>> {
        serde_json::from_str(&self.body).ok()
    }

    /// The body with a count of attempts; as it is where it is no object.
    fn counting(&self, attempts: u32) -> String {
        let Some(mut fields) = self.fields() else { return self.body.clone() };
        fields.insert(COUNT.to_owned(), attempts.into());
        fields.remove(TURNS);
        Value::Object(fields).to_string()
    }
}

fn count(fields: &Map<String, Value>, name: &str) -> u32 {
    fields.get(name).and_then(Value::as_u64).and_then(|count| u32::try_from(count).ok()).unwrap_or(0)
}

/// Waits for work that may fail, panic or never end, none of which may end the worker.
pub(crate) async fn guarded<T>(work: impl Future<Output = Result<T>>) -> Result<T, String> {
    match timeout(LONGEST_ATTEMPT, AssertUnwindSafe(work).catch_unwind()).await {
        Ok(Ok(Ok(done))) => Ok(done),
        Ok(Ok(Err(error))) => Err(with_causes(&error)),
        Ok(Err(panic)) => {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            let said = said.or_else(|| panic.downcast_ref::<&str>().copied());
            Err(format!("it panicked: {}", said.unwrap_or("without a message")))
        }
        Err(_) => Err(format!("it took longer than {} minutes", LONGEST_ATTEMPT.as_secs() / 60)),
    }
}

/// An error and its causes: the outermost alone does not say which server did not answer.
fn with_causes(error: &dyn std::error::Error) -> String {
    successors(Some(error), |error| error.source()).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

#[cfg(test)]
mod tests {
    use super::{Attempt, guarded};

    #[test]
    fn a_message_counts_its_attempts_beside_what_it_says() {
        let attempt = |body: &str, delivered| Attempt::of(body.to_owned(), delivered, |_| true);
        let first = attempt(r#"{"kind":"x","a":1}"#, 1);
        assert_eq!((first.number, first.counting(1)), (1, r#"{"a":1,"attempts":1,"kind":"x"}"#.to_owned()));
        assert_eq!(attempt(&first.counting(1), 1).number, 2);
        assert_eq!(attempt(&first.counting(3), 4).number, 7, "deliveries that nobody finished count too");
        let odd = attempt("no object", 1);
        assert_eq!((odd.counting(1), odd.fields()), ("no object".to_owned(), None));
    }

    #[tokio::test]
    async fn a_panic_is_a_failure() {
        let told = guarded::<()>(async { panic!("no such {}", "row") }).await;
        assert_eq!(told.unwrap_err(), "it panicked: no such row");
    }

    #[tokio::test(start_paused = true)]
    async fn what_never_ends_is_a_failure() {
        assert_eq!(guarded::<()>(std::future::pending()).await.unwrap_err(), "it took longer than 5 minutes");
    }

    /// Every failure of mail was "the storage engine is unavailable".
    #[tokio::test]
    async fn a_failure_names_its_causes() {
        let away = svc_app::Error::MailAway("mail.example.com:25: 451 try later".into());
        let told = guarded::<()>(async { Err(away) }).await;
        assert_eq!(told.unwrap_err(), "a mail was not sent: mail.example.com:25: 451 try later");
    }
}
