//! The suite on DynamoDB, S3 and SQS as a local engine has them, and what only these adapters promise: round
//! trips, presigned addresses.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use svc_conformance::{blobs, queue, table};
use svc_storage::{
    BlobKey, Blobs, Commit, Condition, Key, Op, Query, Queue, Range, Retention, ServedAs, StorageError, Table,
};
use svc_storage_aws::AwsStore;

use crate::ministack::Ministack;

#[tokio::test(flavor = "multi_thread")]
async fn table() {
    let engine = Ministack::start("table").await;
    let handles: Vec<Arc<dyn Table>> = vec![engine.open().await.table(), engine.open().await.table()];
    table::alone(&*handles[0]).await;
    table::together(&handles).await;
}

#[test]
fn table_matches_the_model() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let engine = runtime.block_on(Ministack::start("model"));
    let table = runtime.block_on(engine.open()).table();
    table::matches_the_model(runtime.handle(), &*table, 24);
}

#[tokio::test(flavor = "multi_thread")]
async fn queue() {
    let engine = Ministack::start("queue").await;
    let handles: Vec<Arc<dyn Queue>> = vec![engine.open().await.queue(), engine.open().await.queue()];
    queue::all(&handles).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn blobs() {
    let engine = Ministack::start("blobs").await;
    let store = engine.open().await;
    let handles: Vec<Arc<dyn Blobs>> = vec![store.blobs(), engine.open().await.blobs()];
    blobs::all(&handles).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delay_longer_than_the_engine_takes_is_travelled_in_stages() {
    let engine = Ministack::start("stages").await;
    let store = engine.open_with(|config| config.longest_delay = Duration::from_secs(1)).await;
    let queue = store.queue();
    let begun = Instant::now();
    queue.send("far", Duration::from_secs(4)).await.unwrap();
    let messages = queue.receive(10, Duration::from_secs(30)).await.unwrap();
    // A second less at most: a message is not sent on for so little.
    assert!(begun.elapsed() >= Duration::from_secs(3), "it came after {:?}", begun.elapsed());
    assert_eq!((messages.len(), messages[0].body.as_str(), messages[0].attempts), (1, "far", 1));
    queue.ack(&messages[0].receipt).await.unwrap();
    assert_eq!(queue.receive(10, Duration::from_secs(3)).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_presigned_address_reads_and_writes_without_a_key() {
    let engine = Ministack::start("presign").await;
    let blobs = engine.open().await.blobs();
    let key = BlobKey::new(Retention::Attachment, "item/1/file");
    let valid = Duration::from_secs(60);
    let put = blobs.presign_put(&key, 7, valid).await.unwrap().unwrap();
    let names: Vec<&str> = put.headers.iter().map(|(name, _)| name.as_str()).collect();
    assert!(names.contains(&"if-none-match"), "{names:?}");
    for signed in ["content-length", "if-none-match"] {
        assert!(put.url.contains(signed), "{signed} is not signed in {}", put.url);
    }
    assert!(!put.url.contains("checksum"), "a checksum of no bytes: {}", put.url);
    let (status, answer) = http("PUT", &put.url, &put.headers, "written");
    assert_eq!(status, 200, "{}: {answer}", put.url);
    assert_eq!(blobs.get(&key).await.unwrap(), "written");
    assert_eq!(http("PUT", &put.url, &put.headers, "rewrite").0, 412, "written once");
    let served =
        ServedAs { content_type: "image/png".into(), disposition: "inline; filename=\"a b.png\"".into() };
    let get = blobs.presign_get(&key, &served, valid).await.unwrap().unwrap();
    assert!(get.contains("response-content-type=image%2Fpng"), "{get}");
    assert!(get.contains("response-content-disposition=inline"), "{get}");
    assert_eq!(http("GET", &get, &[], ""), (200, "written".to_owned()));
}

#[tokio::test]
async fn each_read_and_each_commit_is_one_request() {
    let engine = Ministack::start("calls").await;
    let store = engine.open().await;
    let table = store.table();
    let key = |n: usize| Key::new("calls", format!("{n:03}"));
    let put = |n: usize| Op::create(key(n), &n);
    let commit = |ops: Vec<Op>, token: Option<&str>| Commit { ops, token: token.map(str::to_owned) };

    let many = commit((0..50).map(put).collect(), Some("many"));
    spend(&store, 1, table.commit(&many)).await.unwrap();
    spend(&store, 1, table.commit(&many)).await.unwrap();
    spend(&store, 1, table.commit(&commit(vec![put(50)], Some("one")))).await.unwrap();
    spend(&store, 1, table.commit(&commit(vec![Op::delete(key(50), Condition::Version(1))], None)))
        .await
        .unwrap();
    // A refusal brings the row along.
    for ops in [vec![put(7)], vec![put(90), put(7)]] {
        let last = ops.len() - 1;
        match spend(&store, 1, table.commit(&commit(ops, None))).await {
            Err(StorageError::Conflict { op, current: Some(row) }) => {
                assert_eq!((op, row.key), (last, key(7)))
            }
            other => panic!("a conflict was due, not {other:?}"),
        }
    }
    spend(&store, 1, table.get(&key(7))).await.unwrap();
    let keys: Vec<Key> = (0..100).map(key).collect();
    spend(&store, 1, table.get_many(&keys)).await.unwrap();
    let page = spend(&store, 1, table.query(&Query::new("calls", Range::All, 100))).await.unwrap();
    assert_eq!(page.rows.len(), 50);
    spend(&store, 1, table.increment(&key(99), "n", 1, None)).await.unwrap();
    // What needs no engine asks none.
    spend(&store, 0, table.commit(&commit(vec![Op::check(key(7), Condition::None)], None))).await.unwrap();
    spend(&store, 0, table.commit(&commit(vec![], None))).await.unwrap();
    spend(&store, 0, table.get_many(&[])).await.unwrap();
}

/// An engine that cannot be reached is unavailable, not absent rows.
/// Without them a server started, and answered 503 for ever.
#[tokio::test]
async fn what_is_missing_is_named_with_the_way_to_make_it() {
    let engine = Ministack::start("look").await;
    engine.open().await.look().await.unwrap();
    let store = engine.open_with(|config| {
        config.table = "no-table".into();
        config.bucket = "no-bucket".into();
        config.queue_url.push_str("-none");
    });
    let said = store.await.look().await.unwrap_err().to_string();
    for part in
        [r#"table "no-table""#, r#"bucket "no-bucket""#, "-none", "infra/template.yaml", "Storage:Create"]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
    let unset =
        engine.open_with(|config| config.queue_url.clear()).await.look().await.unwrap_err().to_string();
    assert!(unset.starts_with("Storage:QueueUrl is not set"), "{unset}");
    let away = engine.open_with(|config| config.endpoint = Some("http://127.0.0.1:1".into())).await;
    let said = away.look().await.unwrap_err().to_string();
    assert!(said.contains("it does not answer. Check Storage:Endpoint") && said.len() < 300, "{said}");
}

#[tokio::test]
async fn an_engine_that_is_away_is_unavailable() {
    let engine = Ministack::start("away").await;
    let store = engine.open().await;
    drop(engine);
    let key = Key::new("p", "s");
    assert!(matches!(store.table().get(&key).await, Err(StorageError::Unavailable(_))));
    let put = Commit { ops: vec![Op::create(key, &1)], token: None };
    assert!(matches!(store.table().commit(&put).await, Err(StorageError::Unavailable(_))));
    assert!(matches!(store.queue().send("x", Duration::ZERO).await, Err(StorageError::Unavailable(_))));
    let blob = BlobKey::new(Retention::Log, "x");
    assert!(matches!(store.blobs().get(&blob).await, Err(StorageError::Unavailable(_))));
}

/// Makes a call of the table, which must take so many requests. Nothing else may use the store meanwhile.
async fn spend<T>(store: &AwsStore, requests: u64, call: impl Future<Output = T>) -> T {
    let before = store.calls().table;
    let result = call.await;
    assert_eq!(store.calls().table - before, requests);
    result
}

/// Status and body of a plain request.
fn http(method: &str, address: &str, headers: &[(String, String)], body: &str) -> (u16, String) {
    let (host, path) = address.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let length = body.len();
    let mut head = format!("{method} /{path} HTTP/1.1\r\nhost: {host}\r\ncontent-length: {length}\r\n");
    for (name, value) in headers.iter().filter(|(name, _)| name != "content-length") {
        head += &format!("{name}: {value}\r\n");
    }
    write!(stream, "{head}connection: close\r\n\r\n{body}").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}
