//! The workers as the server runs them.

use std::sync::Arc;
use std::time::Duration;

use svc_app::App;
use svc_app::outbox::{Message, Outgoing};
use svc_testkit::TestApp;
use tokio::sync::watch;

/// What a crash left in the outbox is sent and handled, and what nobody understands does not come again.
#[tokio::test]
async fn messages_are_handled_and_the_workers_stop_when_told() {
    let kit = TestApp::new();
    let org = kit.org("demo").await;
    let run = "00000000-0000-7000-8000-000000000001".parse().unwrap();
    let outgoing =
        Outgoing::new(&kit.app, Message::WatchRun { org: org.id, run }, jiff::SignedDuration::ZERO);
    svc_testkit::write(&kit.app, vec![outgoing.op()]).await.unwrap();
    kit.app.queue.send("{\"kind\":\"unheardOf\"}", Duration::ZERO).await.unwrap();
    kit.advance(jiff::SignedDuration::from_mins(1));

    let (stop, stopping) = watch::channel(false);
    let workers = tokio::spawn(svc_workers::run(Arc::clone(&kit.app), stopping));
    until(async || svc_app::outbox::sweep(&kit.app).await.unwrap() == 0).await;
    until(async || nothing_waits(&kit.app).await).await;
    stop.send_replace(true);
    tokio::time::timeout(Duration::from_secs(10), workers).await.unwrap().unwrap();

    // Past the time for which a received message is hidden, none comes again.
    kit.advance(jiff::SignedDuration::from_mins(10));
    assert_eq!(kit.app.queue.receive(10, Duration::ZERO).await.unwrap(), []);
}

/// Looks by receiving, and puts back what it took from the workers.
async fn nothing_waits(app: &App) -> bool {
    let taken = app.queue.receive(1, Duration::ZERO).await.expect("the queue answers");
    for message in &taken {
        app.queue.send(&message.body, Duration::ZERO).await.expect("the queue answers");
        app.queue.ack(&message.receipt).await.expect("the queue answers");
    }
    taken.is_empty()
}

async fn until(holds: impl AsyncFn() -> bool) {
    let deadline = tokio::time::Instant::now() + Duration::from_secs(10);
    while !holds().await {
        assert!(tokio::time::Instant::now() < deadline, "it never came to hold");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
