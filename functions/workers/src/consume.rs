//! The consumer of the queue: receives messages, and has them handled at the same time, but those of one subject one
//! after the other, and of what waits for servers outside only a share. A message that finds too many before it goes
//! back to the queue for a while. What becomes of a message is decided by [`attempt`](crate::attempt).
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
use crate::shares::{OUTSIDE, Share};

/// How long one request for messages waits.
const WAIT: Duration = Duration::from_secs(10);
/// Messages received at once.
const BATCH: usize = 10;
/// With so many messages at work, no more are received: others may have them. What waits for its lane does not count,
/// and what waits for servers outside never fills it: see [`shares`](crate::shares).
const MOST_AT_WORK: usize = 64;
const _: () = assert!(OUTSIDE < MOST_AT_WORK);
/// For how long the messages held are hidden each time. Those of a worker that died come again after so long, so that
/// it is short; the queue hides what it hands out for as long.
const HIDDEN: Duration = Duration::from_secs(30);
/// How often they are hidden: early enough to miss one.
const HIDE_EVERY: Duration = Duration::from_secs(10);
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
            Some(messages) = arriving.next(), if lanes.at_work() < MOST_AT_WORK => {
                held.extend(messages.iter().map(|message| message.receipt.clone()));
                add(app, &mut lanes, messages, knows);
            }
            Some(settled) = lanes.next() => {
                held.remove(&settled.receipt);
                acknowledge(app, settled).await;
            }
            _ = again.tick() => hide(app, &held, HIDDEN).await,
        }
    }
    if let Ok(Some(messages)) = timeout(ON_ITS_WAY, arriving.next()).await {
        add(app, &mut lanes, messages, knows);
    }
    // What only waits is left to other workers at once.
    hide(app, lanes.take_waiting().iter().map(|(receipt, _)| receipt), Duration::ZERO).await;
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
    add(app, &mut lanes, messages, |_| true);
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

fn add<'a>(app: &'a App, lanes: &mut MessageLanes<'a>, messages: Vec<Message>, knows: Knows) {
    for Message { receipt, body, attempts } in messages {
        let attempt = Attempt::of(body, attempts, knows);
        let shares = attempt.shares().unwrap_or_else(|| vec![Share::subject(receipt.clone())]);
        if let Err((receipt, attempt)) = lanes.add(shares, (receipt, attempt)) {
            let stands_back = async move { Settled { receipt, outcome: attempt.stand_back(app).await } };
            lanes.add_aside(stands_back.boxed());
        }
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

async fn hide(app: &App, held: impl IntoIterator<Item = &String>, time: Duration) {
    let hidden = join_all(held.into_iter().map(|receipt| app.queue.hide(receipt, time))).await;
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
    use svc_app::messages::{self as job, DeliverWebhook, MailPasswordReset};
    use svc_app::ports::{AddressRefusal, Answer, Envelope, Mail, MailError, Outbound, OutboundError, Post};
    use svc_domain::ids::{Actor, ActorId, DeliveryId, UserId, WebhookId};
    use svc_domain::webhook::{Delivery, Webhook, WebhookEvent, WebhookNews, Webhooks};
    use svc_storage::{Message, Op, Queue, StorageError, keys};
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
                kit.advance(SignedDuration::from_secs(20));
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

    /// Receivers, one of which takes what is sent and does not answer.
    struct Receivers {
        hung: AtomicUsize,
        answered: AtomicUsize,
        answers: Semaphore,
    }

    #[async_trait::async_trait]
    impl Outbound for Receivers {
        fn judge(&self, _: &str) -> Result<(), AddressRefusal> {
            Ok(())
        }

        async fn post(&self, post: &Post) -> Result<Answer, OutboundError> {
            if post.address.contains("hangs") {
                self.hung.fetch_add(1, Ordering::SeqCst);
                // An error means that the test is over.
                let _ = self.answers.acquire().await;
            } else {
                self.answered.fetch_add(1, Ordering::SeqCst);
            }
            Ok(Answer { status: 204, retry_after: None, body: Vec::new() })
        }
    }

    /// Tests of webhooks that wait to be sent, so many of each of so many webhooks of an organization.
    async fn pings(kit: &TestApp, url: &str, webhooks: usize, of_each: usize) {
        let (org, app) = (kit.org(&url[8..12]).await.id, &kit.app);
        let mut all = Webhooks::default();
        for _ in 0..webhooks {
            let (id, actor) = (WebhookId(app.uuid()), ActorId::User(UserId(app.uuid())));
            let sealing = app.sealing.as_ref().unwrap();
            all.webhooks.push(Webhook {
                id,
                version: 1,
                name: "n8n".into(),
                url: url.into(),
                events: [WebhookEvent::ItemCreated].into(),
                projects: [].into(),
                agents_work: false,
                secret: sealing.seal(&*app.ids, &format!("webhook {id}"), "whsec_AAAA"),
                former: None,
                saved_by: Actor { id: actor, name: "Ada".into() },
                created_at: kit.now(),
                failing_since: None,
                disabled: None,
            });
        }
        let mut ops = vec![Op::create(keys::webhooks(org), &all)];
        let mut messages = Vec::new();
        for _ in 0..of_each {
            for webhook in &all.webhooks {
                let id = DeliveryId(app.uuid());
                let news = WebhookNews::new(WebhookEvent::Ping, kit.now(), None);
                ops.push(Op::create(
                    keys::delivery(org, webhook.id, id),
                    &Delivery::new(webhook.id, id, news),
                ));
                messages.push(job::Message::from(DeliverWebhook { org, webhook: webhook.id, delivery: id }));
            }
        }
        for ops in ops.chunks(50) {
            svc_testkit::write(app, ops.to_vec()).await.unwrap();
        }
        for message in messages {
            app.queue.send(&serde_json::to_string(&message).unwrap(), Duration::ZERO).await.unwrap();
        }
    }

    /// What waited for such a receiver closed the intake of messages: everybody's mail was late.
    #[tokio::test]
    async fn a_receiver_that_hangs_delays_no_mail_and_no_other_organization() {
        let (mail, hangs) = (Arc::new(Slow::new()), Semaphore::new(0));
        let receivers =
            Arc::new(Receivers { hung: AtomicUsize::new(0), answered: AtomicUsize::new(0), answers: hangs });
        let kit = TestApp::new().with_mail(mail.clone()).with_outbound(receivers.clone());
        mail.answers.add_permits(1);
        pings(&kit, "https://bad1.hangs.example", 20, 15).await;
        pings(&kit, "https://good.example", 1, 1).await;
        let message =
            job::Message::from(MailPasswordReset { email: kit.account("ada@example.com").await.email });
        kit.app.queue.send(&serde_json::to_string(&message).unwrap(), Duration::ZERO).await.unwrap();

        let (stop, stopping) = watch::channel(false);
        let watched = async {
            until(|| mail.asked.load(Ordering::SeqCst) == 1).await;
            until(|| receivers.answered.load(Ordering::SeqCst) == 1).await;
            let hung = receivers.hung.load(Ordering::SeqCst);
            receivers.answers.close();
            stop.send_replace(true);
            hung
        };
        let ((), hung) =
            tokio::join!(run_hiding(&kit.app, stopping, |_| true, Duration::from_secs(20)), watched);
        assert_eq!(hung, 4, "the share of an organization");
        // What waited, or found too many before it, comes again, and has not been tried.
        kit.advance(SignedDuration::from_secs(10));
        let mut left = Vec::new();
        loop {
            match kit.app.queue.receive(10, Duration::ZERO).await.unwrap() {
                messages if messages.is_empty() => break,
                messages => left.extend(messages.into_iter().map(|message| message.body)),
            }
        }
        left.retain(|body| body.contains("deliverWebhook"));
        assert_eq!(left.len(), 300 - hung);
        let stood_back = |body: &&String| body.contains(r#""attempts":0"#) && body.contains(r#""turns":1"#);
        assert!(left.iter().filter(stood_back).count() > 100, "{left:?}");
    }

    async fn until(holds: impl Fn() -> bool) {
        let deadline = Instant::now() + Duration::from_secs(30);
        while !holds() {
            assert!(Instant::now() < deadline, "it never came to hold");
            sleep(Duration::from_millis(5)).await;
        }
    }
}
