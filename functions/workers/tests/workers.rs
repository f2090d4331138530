//! The workers as the server runs them.

use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_app::messages::{Message, ReplaceInItems, WatchRun};
use svc_app::outbox::Outgoing;
use svc_app::{App, dead_letters, outbox, search};
use svc_domain::ids::{OrgId, RunId};
use svc_domain::search::Source;
use svc_storage::{Commit, Condition, Cursor, Key, Op, Query, Row, RowPage, StorageError, Table, keys};
use svc_testkit::TestApp;
use svc_workers::Knows;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Workers at work, until told to stop.
struct Workers {
    stop: watch::Sender<bool>,
    working: JoinHandle<()>,
}

impl Workers {
    fn knowing(app: &Arc<App>, knows: Knows) -> Self {
        let (stop, stopping) = watch::channel(false);
        Self { stop, working: tokio::spawn(svc_workers::run_knowing(Arc::clone(app), stopping, knows)) }
    }

    fn of(app: &Arc<App>) -> Self {
        let (stop, stopping) = watch::channel(false);
        Self { stop, working: tokio::spawn(svc_workers::run(Arc::clone(app), stopping)) }
    }

    async fn end(self) {
        self.stop.send_replace(true);
        tokio::time::timeout(Duration::from_secs(60), self.working)
            .await
            .expect("workers stop in time")
            .expect("workers stop in order");
    }
}

fn watch_run(org: OrgId) -> Message {
    let run: RunId = "00000000-0000-7000-8000-000000000001".parse().expect("an id");
    WatchRun { org, run }.into()
}

/// What a crash left in the outbox is sent and handled, and does not come again.
#[tokio::test]
async fn messages_are_handled_and_the_workers_stop_when_told() {
    let kit = TestApp::new();
    let org = kit.org("demo").await;
    let outgoing = Outgoing::new(&kit.app, watch_run(org.id), SignedDuration::ZERO);
    svc_testkit::write(&kit.app, vec![outgoing.op()]).await.unwrap();
    kit.advance(SignedDuration::from_mins(1));

    let workers = Workers::of(&kit.app);
    until(async || outbox::sweep(&kit.app).await.unwrap() == 0).await;
    until(async || nothing_waits(&kit.app).await).await;
    workers.end().await;

    // Past the time for which a received message is hidden, none comes again.
    kit.advance(SignedDuration::from_mins(10));
    assert_eq!(kit.app.queue.receive(10, Duration::ZERO).await.unwrap(), []);
}

/// In a rolling upgrade, an older worker meets a message that only newer ones know: it is handled once one is there.
#[tokio::test]
async fn a_message_that_only_newer_workers_know_survives_the_older_one() {
    let kit = TestApp::new();
    let org = kit.org("demo").await;
    let run = uuid::Uuid::nil();
    let project = "PRJ".parse().unwrap();
    let row = keys::replacement(org.id, &project, run);
    svc_testkit::write(&kit.app, vec![Op::create(row.clone(), &replacement())]).await.unwrap();
    let message = Message::from(ReplaceInItems { org: org.id, project, id: run });
    kit.app.queue.send(&serde_json::to_string(&message).unwrap(), Duration::ZERO).await.unwrap();

    let older = Workers::knowing(&kit.app, |kind| kind != "replaceInItems");
    for _ in 0..5 {
        kit.advance(SignedDuration::from_mins(15));
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    older.end().await;
    assert!(kit.app.table.get(&row).await.unwrap().is_some(), "nobody knew what to do");
    assert_eq!(dead_letters::list(&kit.app).await.unwrap(), [], "and nobody gave it up");

    let newer = Workers::of(&kit.app);
    until(async || {
        kit.advance(SignedDuration::from_mins(15));
        kit.app.table.get(&row).await.unwrap().is_none()
    })
    .await;
    newer.end().await;
}

/// A message that came a moment before the replacement had settled was the last one, and it was never ended.
#[tokio::test]
async fn a_message_that_comes_too_early_comes_again() {
    let kit = TestApp::new();
    let org = kit.org("demo").await;
    let (id, project) = (uuid::Uuid::nil(), "PRJ".parse().unwrap());
    let row = keys::replacement(org.id, &project, id);
    let begun = svc_domain::replacement::Replacement { at: kit.now(), ..replacement() };
    svc_testkit::write(&kit.app, vec![Op::create(row.clone(), &begun)]).await.unwrap();
    let message = Message::from(ReplaceInItems { org: org.id, project, id });
    kit.app.queue.send(&serde_json::to_string(&message).unwrap(), Duration::ZERO).await.unwrap();
    let workers = Workers::of(&kit.app);
    until(async || {
        kit.advance(SignedDuration::from_secs(1));
        kit.app.table.get(&row).await.unwrap().is_none()
    })
    .await;
    workers.end().await;
}

/// A replacement of a label in a project that has no items: nothing is left to do but to end it.
fn replacement() -> svc_domain::replacement::Replacement {
    use svc_domain::ids::{Actor, ActorId, UserId};
    let by = Actor { id: ActorId::User(UserId(uuid::Uuid::nil())), name: "Ada".into() };
    let what = svc_domain::replacement::What::Label { from: "bug".into(), to: None };
    svc_domain::replacement::Replacement { id: uuid::Uuid::nil(), by, at: jiff::Timestamp::UNIX_EPOCH, what }
}

#[tokio::test]
async fn what_fails_again_and_again_is_kept_and_can_be_replayed() {
    let kit = TestApp::new();
    let org = kit.org("demo").await;
    let (id, project) = (uuid::Uuid::nil(), "PRJ".parse().unwrap());
    let row = keys::replacement(org.id, &project, id);
    svc_testkit::write(&kit.app, vec![Op::create(row.clone(), &"no replacement")]).await.unwrap();
    let message = Message::from(ReplaceInItems { org: org.id, project, id });
    kit.app.queue.send(&serde_json::to_string(&message).unwrap(), Duration::ZERO).await.unwrap();

    let workers = Workers::of(&kit.app);
    until(async || {
        kit.advance(SignedDuration::from_mins(15));
        !dead_letters::list(&kit.app).await.unwrap().is_empty()
    })
    .await;
    workers.end().await;
    // The clock jumps over leases here: the queue may hand the message to two workers, and each gives it up. A copy that
    // is still there would be given up after the replay.
    kit.advance(SignedDuration::from_hours(24));
    for copy in kit.app.queue.receive(10, Duration::ZERO).await.unwrap() {
        kit.app.queue.ack(&copy.receipt).await.unwrap();
    }
    let letters = dead_letters::list(&kit.app).await.unwrap();
    assert!(letters.iter().all(|letter| letter.attempts >= 15), "{letters:?}");

    svc_testkit::write(&kit.app, vec![Op::delete(row, Condition::Present)]).await.unwrap();
    assert_eq!(dead_letters::replay(&kit.app).await.unwrap(), letters.len());
    let workers = Workers::of(&kit.app);
    until(async || nothing_waits(&kit.app).await).await;
    workers.end().await;
    assert_eq!(dead_letters::list(&kit.app).await.unwrap(), []);
}

/// A message whose handling takes the worker's process down each time is given up too: the queue counts.
#[tokio::test]
async fn what_nobody_survives_is_given_up() {
    let kit = TestApp::new();
    let org = kit.org("demo").await;
    let body = serde_json::to_string(&watch_run(org.id)).unwrap();
    kit.app.queue.send(&body, Duration::ZERO).await.unwrap();
    for _ in 0..15 {
        let received = kit.app.queue.receive(10, Duration::ZERO).await.unwrap();
        assert_eq!(received.len(), 1, "it comes again when nobody acknowledges it");
        kit.advance(SignedDuration::from_mins(15));
    }
    let workers = Workers::of(&kit.app);
    until(async || !dead_letters::list(&kit.app).await.unwrap().is_empty()).await;
    workers.end().await;
    let letters = dead_letters::list(&kit.app).await.unwrap();
    assert_eq!((letters.len(), letters[0].attempts), (1, 16));
    assert!(letters[0].why.contains("stopped in the middle"), "{letters:?}");
}

/// In a rolling upgrade, a newer server may die and leave messages that only newer workers know. They kept everything
/// behind them from being sent, for as long as the older server was there.
#[tokio::test]
async fn what_a_newer_server_left_in_the_outbox_is_sent_as_it_is() {
    let kit = TestApp::new();
    let org = kit.org("demo").await;
    let (now, at) = (kit.now(), kit.now().as_millisecond());
    let known = watch_run(org.id);
    let left = [
        Op::create(keys::outbox(0, at, "1"), &"no message"),
        Op::create(keys::outbox(0, at, "2"), &json!({"message": {"kind": "newer", "of": 1}, "due": now})),
        Op::create(keys::outbox(0, at, "3"), &json!({"message": known, "due": now})),
    ];
    svc_testkit::write(&kit.app, left.into()).await.unwrap();
    kit.advance(SignedDuration::from_mins(1));
    assert_eq!(outbox::sweep(&kit.app).await.unwrap(), 2);
    assert_eq!(bodies(&kit).await, [r#"{"kind":"newer","of":1}"#, &json!(known).to_string()]);
    assert_eq!(outbox::sweep(&kit.app).await.unwrap(), 0, "each is sent once");
}

/// It took all background work of the process down, and nothing was done any more until somebody restarted it.
#[tokio::test]
async fn a_text_that_makes_the_indexer_panic_keeps_nothing_else_from_being_done() {
    let mut kit = TestApp::new();
    let org = kit.org("demo").await;
    let texts = ["PRJ-1", "PRJ-2"].map(|key| Source::Item(key.parse().unwrap()));
    svc_testkit::write(&kit.app, texts.iter().map(|text| search::changed(org.id, text)).collect())
        .await
        .unwrap();
    let [poisoned, sound] = texts.each_ref().map(|text| keys::to_index(org.id, &text.id()));
    trap(&mut kit, keys::item(org.id, &"PRJ-1".parse().unwrap()).pk.clone());

    let workers = Workers::of(&kit.app);
    until(async || kit.app.table.get(&sound).await.unwrap().is_none()).await;
    kit.app.queue.send(&serde_json::to_string(&watch_run(org.id)).unwrap(), Duration::ZERO).await.unwrap();
    until(async || nothing_waits(&kit.app).await).await;
    workers.end().await;
    assert!(kit.app.table.get(&poisoned).await.unwrap().is_some(), "it waits for a version that can read it");
}

/// The program as a Lambda function: an event with messages, one of them early, one broken for good and one of a kind
/// that only newer workers know.
#[tokio::test]
async fn events_with_messages_are_answered_with_those_that_failed() {
    let kit = TestApp::new();
    let org = kit.org("demo").await;
    let known = serde_json::to_string(&watch_run(org.id)).unwrap();
    let event = json!({"Records": [
        record("done", &known, json!({})),
        record("early", &known, json!({"due": {"stringValue": due(&kit, 90).to_string(), "dataType": "Number"}})),
        record("unknown", r#"{"kind":"newer"}"#, json!({})),
        record("broken", "no message", json!({})),
    ]});
    assert_eq!(answer(&kit, event).await, json!({"batchItemFailures": []}));
    let letters = dead_letters::list(&kit.app).await.unwrap();
    assert_eq!((letters.len(), letters[0].body.as_str()), (1, "no message"));
    assert_eq!(bodies(&kit).await, Vec::<String>::new());
    kit.advance(SignedDuration::from_secs(3));
    assert_eq!(bodies(&kit).await, [r#"{"attempts":1,"kind":"newer"}"#], "for a newer worker");
    kit.advance(SignedDuration::from_secs(90));
    assert!(bodies(&kit).await.contains(&known), "with the rest of its delay");
}

/// A message that can be handled no more and sent again neither must not be deleted by the queue.
#[tokio::test]
async fn what_cannot_be_kept_anywhere_is_left_in_the_queue() {
    let (kit, disk) = TestApp::new().on_a_disk();
    disk.fill(true);
    let event = json!({"Records": [record("lost", "no message", json!({}))]});
    let failed = json!({"batchItemFailures": [{"itemIdentifier": "lost"}]});
    assert_eq!(answer(&kit, event).await, failed);
}

/// Lambda would end the process in the middle, and the whole batch would come again.
#[tokio::test]
async fn what_is_not_done_before_the_deadline_comes_again() {
    let kit = TestApp::new();
    let org = kit.org("demo").await;
    let known = serde_json::to_string(&watch_run(org.id)).unwrap();
    let event = json!({"Records": [record("late", &known, json!({}))]});
    let failed = json!({"batchItemFailures": [{"itemIdentifier": "late"}]});
    assert_eq!(answer_within(&kit, event.clone(), Duration::ZERO).await, failed);
    assert_eq!(answer(&kit, event).await, json!({"batchItemFailures": []}));
}

/// The schedule's event does what is due, and indexes the texts that wait.
#[tokio::test]
async fn a_schedule_runs_the_jobs() {
    let kit = TestApp::new();
    let org = kit.org("demo").await;
    let outgoing = Outgoing::new(&kit.app, watch_run(org.id), SignedDuration::ZERO);
    svc_testkit::write(&kit.app, vec![outgoing.op()]).await.unwrap();
    kit.advance(SignedDuration::from_mins(1));
    let event = json!({"source": "aws.events", "time": "2026-10-08T16:53:00Z", "detail": {}});
    assert_eq!(answer(&kit, event).await, Value::Null);
    assert_eq!(bodies(&kit).await.len(), 1);
}

/// A job that panics keeps no other from running, and the call does not fail.
#[tokio::test]
async fn a_schedule_survives_a_job_that_panics() {
    let mut kit = TestApp::new();
    trap(&mut kit, keys::outbox_pk(0));
    let event = json!({"source": "aws.events", "time": "2026-10-08T16:53:00Z", "detail": {}});
    assert_eq!(answer(&kit, event).await, Value::Null);
}

/// Answers as the function's program does.
async fn answer(kit: &TestApp, event: Value) -> Value {
    answer_within(kit, event, Duration::from_mins(5)).await
}

async fn answer_within(kit: &TestApp, event: Value, left: Duration) -> Value {
    svc_lambda::answer_worker(&kit.app, event, left).await.expect("an answer")
}

fn record(id: &str, body: &str, attributes: Value) -> Value {
    json!({"messageId": id, "receiptHandle": "r", "body": body, "messageAttributes": attributes,
        "attributes": {"ApproximateReceiveCount": "1"}, "eventSource": "aws:sqs"})
}

fn due(kit: &TestApp, seconds: i64) -> i64 {
    kit.app.now().as_millisecond() + seconds * 1_000
}

/// What waits in the queue now; it is taken out.
async fn bodies(kit: &TestApp) -> Vec<String> {
    let mut bodies = Vec::new();
    for message in kit.app.queue.receive(10, Duration::ZERO).await.expect("the queue answers") {
        kit.app.queue.ack(&message.receipt).await.expect("the queue answers");
        bodies.push(message.body);
    }
    bodies
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
    let deadline = tokio::time::Instant::now() + Duration::from_secs(30);
    while !holds().await {
        assert!(tokio::time::Instant::now() < deadline, "it never came to hold");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Lets everything panic that reads a partition.
fn trap(kit: &mut TestApp, pk: String) {
    let app = Arc::get_mut(&mut kit.app).expect("nobody else holds the application yet");
    app.table = Arc::new(Trap { table: Arc::clone(&app.table), pk });
}

struct Trap {
    table: Arc<dyn Table>,
    pk: String,
}

impl Trap {
    fn step_on(&self, pk: &str) {
        assert_ne!(self.pk, pk, "on purpose");
    }
}

#[async_trait::async_trait]
impl Table for Trap {
    async fn get(&self, key: &Key) -> Result<Option<Row>, StorageError> {
        self.step_on(&key.pk);
        self.table.get(key).await
    }

    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Row>>, StorageError> {
        self.table.get_many(keys).await
    }

    async fn query(&self, query: &Query) -> Result<RowPage, StorageError> {
        self.step_on(&query.pk);
        self.table.query(query).await
    }

    async fn commit(&self, commit: &Commit) -> Result<(), StorageError> {
        self.table.commit(commit).await
    }

    async fn increment(&self, key: &Key, of: &str, by: i64, ttl: Option<i64>) -> Result<i64, StorageError> {
        self.table.increment(key, of, by, ttl).await
    }

    async fn scan(&self, limit: usize, after: Option<&Cursor>) -> Result<RowPage, StorageError> {
        self.table.scan(limit, after).await
    }
}
