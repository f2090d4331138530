//! The consumer of the queue: receives messages, and has them handled at the same time, but those of one subject one
//! after the other. What becomes of a message is decided by [`attempt`](crate::attempt).
//!
//! A message stays hidden from other workers for as long as it is held here, be it at work or waiting for its lane: the
//! queue is told again and again. Otherwise a slow message would be delivered a second time, and where both fail, each
//! of them would be sent again.

use std::collections::HashSet;
use std::pin::pin;
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::join_all;
use futures::stream::{self, StreamExt as _};
use svc_app::App;
use svc_storage::Message;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout, timeout_at};

use crate::Knows;
use crate::attempt::Attempt;
use crate::lanes::Lanes;

/// How long one request for messages waits.
const WAIT: Duration = Duration::from_secs(10);
/// Messages received at once.
const BATCH: usize = 10;
/// With so many messages at work or waiting, no more are received: others may have them.
const MOST_HELD: usize = 64;
/// For how long the messages held are hidden each time.
const HIDDEN: Duration = Duration::from_secs(60);
/// How often they are hidden: early enough to miss one.
const HIDE_EVERY: Duration = Duration::from_secs(20);
/// How long a message may still arrive that was taken from the queue when told to stop. Left behind, it would be
/// hidden from everybody for a while.
const ON_ITS_WAY: Duration = Duration::from_millis(200);
/// How long to rest when the queue does not answer.
const REST: Duration = Duration::from_secs(1);

/// Handles messages until told to stop.
pub(crate) async fn run(app: &App, stopping: watch::Receiver<bool>, knows: Knows) {
    run_hiding(app, stopping, knows, HIDE_EVERY).await;
}

async fn run_hiding(app: &App, mut stopping: watch::Receiver<bool>, knows: Knows, every: Duration) {
    let mut lanes = lanes(app);
    let mut held = HashSet::new();
    let mut again = interval(every);
    again.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // A stream keeps the request that waits, whatever else happens meanwhile.
    let mut arriving = pin!(stream::unfold((), |()| async { Some((receive(app).await, ())) }));
    loop {
        tokio::select! {
            () = told(&mut stopping) => break,
            Some(messages) = arriving.next(), if lanes.held() < MOST_HELD => {
                held.extend(messages.iter().map(|message| message.receipt.clone()));
                add(&mut lanes, messages, knows);
            }
            Some(settled) = lanes.next() => {
                held.remove(&settled.receipt);
                acknowledge(app, settled).await;
            }
            _ = again.tick() => hide(app, &held).await,
        }
    }
    if let Ok(Some(messages)) = timeout(ON_ITS_WAY, arriving.next()).await {
        add(&mut lanes, messages, knows);
    }
    while let Some(settled) = lanes.next().await {
        acknowledge(app, settled).await;
    }
}

async fn told(stopping: &mut watch::Receiver<bool>) {
    // An error means that the sender is gone, which is a reason to stop too.
    let _ = stopping.wait_for(|stop| *stop).await;
}

/// Handles messages that somebody else received and acknowledges, for at most so long; answers the receipts of those
/// that must not be acknowledged.
pub async fn handle_received(app: &App, messages: Vec<Message>, left: Duration) -> Vec<String> {
    let until = Instant::now() + left;
    let mut lanes = lanes(app);
    let mut open: HashSet<String> = messages.iter().map(|message| message.receipt.clone()).collect();
    add(&mut lanes, messages, |_| true);
    while Instant::now() < until
        && let Ok(Some(Settled { receipt, outcome })) = timeout_at(until, lanes.next()).await
    {
        match outcome {
            Ok(()) => drop(open.remove(&receipt)),
            Err(error) => tracing::warn!(%error, "a message is not acknowledged and comes again"),
        }
    }
    if lanes.held() > 0 {
        tracing::warn!(messages = lanes.held(), "the time for these messages is over: they come again");
    }
    open.into_iter().collect()
}

/// A message that was attempted.
struct Settled {
    receipt: String,
    /// Whether it may be acknowledged.
    outcome: svc_app::Result<()>,
}

type MessageLanes<'a> = Lanes<'a, (String, Attempt), Settled>;

fn lanes(app: &App) -> MessageLanes<'_> {
    Lanes::new(move |(receipt, attempt): (String, Attempt)| {
        async move { Settled { receipt, outcome: attempt.make(app).await } }.boxed()
    })
}

fn add(lanes: &mut MessageLanes<'_>, messages: Vec<Message>, knows: Knows) {
    for Message { receipt, body, attempts } in messages {
        let attempt = Attempt::of(body, attempts, knows);
        lanes.add(attempt.subject().unwrap_or_else(|| receipt.clone()), (receipt, attempt));
    }
}

async fn receive(app: &App) -> Vec<Message> {
    match app.queue.receive(BATCH, WAIT).await {
        Ok(messages) => messages,
        Err(error) => {
            tracing::warn!(%error, "the queue does not answer");
            tokio::time::sleep(REST).await;
            Vec::new()
        }
    }
}

async fn hide(app: &App, held: &HashSet<String>) {
    let hidden = join_all(held.iter().map(|receipt| app.queue.hide(receipt, HIDDEN))).await;
    if let Some(error) = hidden.into_iter().find_map(Result::err) {
        tracing::warn!(%error, "messages at work could not be kept from other workers");
    }
}

async fn acknowledge(app: &App, Settled { receipt, outcome }: Settled) {
    let acknowledged = match outcome {
        Ok(()) => app.queue.ack(&receipt).await.map_err(svc_app::Error::from),
        Err(error) => Err(error),
    };
    if let Err(error) = acknowledged {
        tracing::warn!(%error, "a message was not acknowledged and comes again");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use jiff::SignedDuration;
    use svc_app::App;
    use svc_app::messages::{self as job, MailPasswordReset};
    use svc_app::ports::{Envelope, Mail, MailError};
    use svc_storage::{Message, Queue, StorageError};
    use svc_testkit::TestApp;
    use tokio::sync::{Semaphore, watch};
    use tokio::time::{Instant, sleep};

    use super::run_hiding;

    /// A mail server that takes its time, and then takes no mail.
    struct Slow {
        asked: AtomicUsize,
        answers: Semaphore,
    }

    impl Slow {
        const fn new() -> Self {
            Self { asked: AtomicUsize::new(0), answers: Semaphore::const_new(0) }
        }
    }

    #[async_trait::async_trait]
    impl Mail for Slow {
        async fn send(&self, _: &Envelope) -> Result<(), MailError> {
            self.asked.fetch_add(1, Ordering::SeqCst);
            self.answers.acquire().await.expect("never closed").forget();
            Err(MailError::Unavailable("451 try later".into()))
        }
    }

    /// Counts how often messages were hidden.
    struct Counted {
        queue: Arc<dyn Queue>,
        hidden: AtomicUsize,
    }

    impl Counted {
        fn new(app: &App) -> Self {
            Self { queue: Arc::clone(&app.queue), hidden: AtomicUsize::new(0) }
        }
    }

    #[async_trait::async_trait]
    impl Queue for Counted {
        async fn send(&self, body: &str, delay: Duration) -> Result<(), StorageError> {
            self.queue.send(body, delay).await
        }

        async fn receive(&self, max: usize, wait: Duration) -> Result<Vec<Message>, StorageError> {
            self.queue.receive(max, wait).await
        }

        async fn hide(&self, receipt: &str, time: Duration) -> Result<(), StorageError> {
            self.queue.hide(receipt, time).await?;
            self.hidden.fetch_add(1, Ordering::SeqCst);
            Ok(())
        }

        async fn ack(&self, receipt: &str) -> Result<(), StorageError> {
            self.queue.ack(receipt).await
        }
    }

    /// The queue delivered it again each minute, and each of them was sent again when it failed.
    #[tokio::test]
    async fn a_message_that_takes_minutes_is_handled_once_and_sent_again_once() {
        let mut kit = TestApp::new();
        let (mail, queue) = (Arc::new(Slow::new()), Arc::new(Counted::new(&kit.app)));
        let app = Arc::get_mut(&mut kit.app).unwrap();
        app.mail = Some(mail.clone());
        app.queue = queue.clone();
        let message =
            job::Message::from(MailPasswordReset { email: kit.account("ada@example.com").await.email });
        queue.send(&serde_json::to_string(&message).unwrap(), Duration::ZERO).await.unwrap();

        let (stop, stopping) = watch::channel(false);
        let minutes = async {
            until(|| mail.asked.load(Ordering::SeqCst) > 0).await;
            for _ in 0..6 {
                let hidden = queue.hidden.load(Ordering::SeqCst);
                // The first of them may have begun before the clock moved.
                until(|| queue.hidden.load(Ordering::SeqCst) > hidden + 1).await;
                kit.advance(SignedDuration::from_secs(40));
            }
            mail.answers.add_permits(100);
            stop.send_replace(true);
        };
        tokio::join!(run_hiding(&kit.app, stopping, |_| true, Duration::from_millis(5)), minutes);

        kit.advance(SignedDuration::from_mins(10));
        let left = kit.app.queue.receive(10, Duration::ZERO).await.unwrap();
        assert_eq!((mail.asked.load(Ordering::SeqCst), left.len()), (1, 1), "{left:?}");
        assert!(left[0].body.contains(r#""attempts":1"#), "{left:?}");
    }

    async fn until(holds: impl Fn() -> bool) {
        let deadline = Instant::now() + Duration::from_secs(30);
        while !holds() {
            assert!(Instant::now() < deadline, "it never came to hold");
            sleep(Duration::from_millis(5)).await;
        }
    }
}
