//! Cases of the queue port. The queue is expected to hide a received message for [`VISIBILITY`]. They follow
//! one another on one queue, and each leaves it empty.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use svc_storage::{MAX_MESSAGE_BYTES, Message, Queue, StorageError};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

/// The visibility time-out that the cases count on.
pub const VISIBILITY: Duration = Duration::from_secs(2);

/// Longer than anything that is waited for takes.
const LONG: Duration = Duration::from_secs(20);

/// Every case. The handles are of one queue.
pub async fn all(handles: &[Arc<dyn Queue>]) {
    let queue = &*handles[0];
    an_empty_queue_answers_after_the_wait(queue).await;
    a_message_arrives_as_it_was_sent(queue).await;
    a_waiting_receiver_is_woken(handles).await;
    a_delay_is_kept(queue).await;
    a_message_comes_back_until_acknowledged(queue).await;
    an_old_receipt_acknowledges_nothing(queue).await;
    a_message_stays_hidden_for_as_long_as_its_worker_says(queue).await;
    at_most_so_many_at_once(queue).await;
    a_message_too_large_is_refused(queue).await;
    every_message_reaches_one_of_many_receivers(handles).await;
}

async fn an_empty_queue_answers_after_the_wait(queue: &dyn Queue) {
    assert_eq!(queue.receive(10, Duration::ZERO).await.unwrap(), []);
    let begun = Instant::now();
    assert_eq!(queue.receive(10, Duration::from_secs(1)).await.unwrap(), []);
    assert!(begun.elapsed() >= Duration::from_millis(900));
}

async fn a_message_arrives_as_it_was_sent(queue: &dyn Queue) {
    let bodies = ["{\"kind\":\"tick\"}".to_owned(), " é 🦀 \n<&>\"".into(), "x".repeat(200_000)];
    for body in bodies {
        queue.send(&body, Duration::ZERO).await.unwrap();
        let message = next(queue).await;
        assert_eq!((message.body, message.attempts), (body, 1));
        queue.ack(&message.receipt).await.unwrap();
    }
    nothing_left(queue).await;
}

async fn a_waiting_receiver_is_woken(handles: &[Arc<dyn Queue>]) {
    for sender in handles {
        let receiver = handles[0].clone();
        let waiting = tokio::spawn(async move { receiver.receive(1, LONG).await.unwrap() });
        sender.send("wake", Duration::ZERO).await.unwrap();
        let messages = timeout(LONG, waiting).await.unwrap().unwrap();
        assert_eq!(messages.len(), 1);
        sender.ack(&messages[0].receipt).await.unwrap();
    }
    nothing_left(&*handles[0]).await;
}

async fn a_delay_is_kept(queue: &dyn Queue) {
    let delay = Duration::from_secs(2);
    let begun = Instant::now();
    queue.send("later", delay).await.unwrap();
    queue.send("now", Duration::ZERO).await.unwrap();
    for body in ["now", "later"] {
        let message = next(queue).await;
        assert_eq!(message.body, body);
        queue.ack(&message.receipt).await.unwrap();
    }
    // The engine may count in whole seconds.
    assert!(begun.elapsed() >= delay - Duration::from_secs(1));
    nothing_left(queue).await;
}

async fn a_message_comes_back_until_acknowledged(queue: &dyn Queue) {
    queue.send("again", Duration::ZERO).await.unwrap();
    let mut attempts = 0;
    while attempts < 3 {
        let begun = Instant::now();
        let mut message = next(queue).await;
        attempts += 1;
        assert_eq!((message.body.as_str(), message.attempts), ("again", attempts));
        if let Some(early) = queue.receive(10, Duration::ZERO).await.unwrap().pop() {
            assert!(begun.elapsed() >= VISIBILITY, "it is hidden meanwhile");
            attempts += 1;
            message = early;
        }
        if attempts >= 3 {
            queue.ack(&message.receipt).await.unwrap();
            queue.ack(&message.receipt).await.unwrap();
        }
    }
    nothing_left(queue).await;
}

/// A worker that was too slow must not take the message from the one that has it now, or no error at least.
async fn an_old_receipt_acknowledges_nothing(queue: &dyn Queue) {
    queue.send("slow", Duration::ZERO).await.unwrap();
    let first = next(queue).await;
    let second = next(queue).await;
    assert_eq!(second.attempts, 2);
    queue.ack(&second.receipt).await.unwrap();
    queue.ack(&first.receipt).await.unwrap();
    nothing_left(queue).await;
}

/// A worker that needs longer than the time-out keeps its message to itself.
async fn a_message_stays_hidden_for_as_long_as_its_worker_says(queue: &dyn Queue) {
    queue.send("long", Duration::ZERO).await.unwrap();
    let message = next(queue).await;
    queue.hide(&message.receipt, VISIBILITY + LONG).await.unwrap();
    assert_eq!(queue.receive(10, VISIBILITY * 2).await.unwrap(), [], "it is hidden for longer now");
    queue.hide(&message.receipt, Duration::ZERO).await.unwrap();
    let again = next(queue).await;
    assert_eq!((again.body.as_str(), again.attempts), ("long", 2), "it was let go");
    queue.ack(&again.receipt).await.unwrap();
    queue.hide(&again.receipt, Duration::ZERO).await.unwrap();
    nothing_left(queue).await;
}

async fn at_most_so_many_at_once(queue: &dyn Queue) {
    for n in 0..12 {
        queue.send(&n.to_string(), Duration::ZERO).await.unwrap();
    }
    let mut seen = BTreeSet::new();
    while seen.len() < 12 {
        let messages = queue.receive(5, LONG).await.unwrap();
        assert!((1..=5).contains(&messages.len()));
        for message in messages {
            seen.insert(message.body);
            queue.ack(&message.receipt).await.unwrap();
        }
    }
    nothing_left(queue).await;
}

async fn a_message_too_large_is_refused(queue: &dyn Queue) {
    match queue.send(&"x".repeat(MAX_MESSAGE_BYTES + 1), Duration::ZERO).await {
        Err(StorageError::TooLarge { what: "message", .. }) => {}
        other => panic!("a refusal for its size was due, not {other:?}"),
    }
    nothing_left(queue).await;
}

async fn every_message_reaches_one_of_many_receivers(handles: &[Arc<dyn Queue>]) {
    const MESSAGES: usize = 60;
    let mut receivers = JoinSet::new();
    for n in 0..4 {
        let queue = handles[n % handles.len()].clone();
        receivers.spawn(async move {
            let mut seen = Vec::new();
            loop {
                let messages = queue.receive(3, Duration::from_secs(3)).await.unwrap();
                if messages.is_empty() {
                    return seen;
                }
                for message in messages {
                    queue.ack(&message.receipt).await.unwrap();
                    seen.push(message.body);
                }
            }
        });
    }
    for n in 0..MESSAGES {
        handles[n % handles.len()].send(&format!("{n:02}"), Duration::ZERO).await.unwrap();
    }
    let mut seen = receivers.join_all().await.concat();
    seen.sort_unstable();
    // At least once: an engine may deliver twice.
    seen.dedup();
    assert_eq!(seen, (0..MESSAGES).map(|n| format!("{n:02}")).collect::<Vec<_>>());
}

async fn next(queue: &dyn Queue) -> Message {
    let begun = Instant::now();
    loop {
        if let Some(message) = queue.receive(1, Duration::from_secs(5)).await.unwrap().pop() {
            return message;
        }
        assert!(begun.elapsed() < LONG, "no message came");
    }
}

async fn nothing_left(queue: &dyn Queue) {
    assert_eq!(queue.receive(10, Duration::ZERO).await.unwrap(), []);
}
