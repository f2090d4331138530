//! The consumer of the queue.

use std::pin::pin;
use std::time::Duration;

use svc_app::App;
use svc_app::factory::timers;
use svc_app::outbox;
use tokio::sync::watch;
use tokio::time::timeout;

/// How long one request for messages waits.
const WAIT: Duration = Duration::from_secs(10);
/// Messages received at once.
const BATCH: usize = 10;
/// How long a message may still arrive that was taken from the queue when told to stop. Left behind, it would be
/// hidden from everybody for a while.
const ON_ITS_WAY: Duration = Duration::from_millis(200);
/// How long to rest when the queue does not answer.
const REST: Duration = Duration::from_secs(1);

/// Handles messages until told to stop.
pub(crate) async fn run(app: &App, mut stopping: watch::Receiver<bool>) {
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
            Ok(messages) => {
                for message in messages {
                    handle(app, &message.body, &message.receipt, message.attempts).await;
                }
            }
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

/// Handles one message. What fails is not acknowledged and comes again; what cannot be read never will be.
async fn handle(app: &App, body: &str, receipt: &str, attempts: u32) {
    match serde_json::from_str::<outbox::Message>(body) {
        Ok(message) => {
            if let Err(error) = timers::handle(app, &message).await {
                tracing::warn!(%error, attempts, "a message comes again");
                return;
            }
        }
        Err(error) => tracing::error!(%error, "a message that nobody understands"),
    }
    if let Err(error) = app.queue.ack(receipt).await {
        tracing::warn!(%error, "a message was not acknowledged and comes again");
    }
}
