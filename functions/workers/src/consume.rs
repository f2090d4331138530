//! The consumer of the queue: receives messages, and has them handled at the same time, but those of one subject one
//! after the other. What becomes of a message is decided by [`attempt`](crate::attempt).

use std::pin::pin;
use std::time::Duration;

use futures::FutureExt as _;
use futures::stream::{self, StreamExt as _};
use svc_app::App;
use svc_storage::Message;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::Knows;
use crate::attempt::Attempt;
use crate::lanes::Lanes;

/// How long one request for messages waits.
const WAIT: Duration = Duration::from_secs(10);
/// Messages received at once.
const BATCH: usize = 10;
/// With so many messages at work or waiting, no more are received: others may have them.
const MOST_HELD: usize = 64;
/// How long a message may still arrive that was taken from the queue when told to stop. Left behind, it would be
/// hidden from everybody for a while.
const ON_ITS_WAY: Duration = Duration::from_millis(200);
/// How long to rest when the queue does not answer.
const REST: Duration = Duration::from_secs(1);

/// Handles messages until told to stop.
pub(crate) async fn run(app: &App, mut stopping: watch::Receiver<bool>, knows: Knows) {
    let mut lanes = lanes(app);
    // A stream keeps the request that waits, whatever else happens meanwhile.
    let mut arriving = pin!(stream::unfold((), |()| async { Some((receive(app).await, ())) }));
    loop {
        tokio::select! {
            () = told(&mut stopping) => break,
            Some(messages) = arriving.next(), if lanes.held() < MOST_HELD => add(&mut lanes, messages, knows),
            Some(settled) = lanes.next() => acknowledge(app, settled).await,
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

/// Handles messages that somebody else received and acknowledges; answers the receipts of those that must not be
/// acknowledged.
pub async fn handle_received(app: &App, messages: Vec<Message>) -> Vec<String> {
    let mut lanes = lanes(app);
    add(&mut lanes, messages, |_| true);
    let mut failed = Vec::new();
    while let Some(Settled { receipt, outcome }) = lanes.next().await {
        if let Err(error) = outcome {
            tracing::warn!(%error, "a message is not acknowledged and comes again");
            failed.push(receipt);
        }
    }
    failed
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

async fn acknowledge(app: &App, Settled { receipt, outcome }: Settled) {
    let acknowledged = match outcome {
        Ok(()) => app.queue.ack(&receipt).await.map_err(svc_app::Error::from),
        Err(error) => Err(error),
    };
    if let Err(error) = acknowledged {
        tracing::warn!(%error, "a message was not acknowledged and comes again");
    }
}
