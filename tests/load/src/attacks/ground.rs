//! What attacks are about: long comments, wide tables, large pages, two versions of one that have nothing in common, as many
//! labels as a project carries, a run with as much log as is kept, and one of everything else. All of it is made through the
//! API, as whoever may write can, but for the items of a large project.

use std::time::Instant;

use futures::StreamExt as _;
use futures::stream;
use serde_json::{Value, json};
use svc_end_to_end::Stage;

use crate::driver::{Connection, Target};
use crate::seed::{self, target};

/// Key of the project that has it.
pub(super) const PROJECT: &str = "ATTACK";

/// Key of the project of many items.
pub(super) const MANY: &str = "MANY";

const ITEMS: usize = 50_000;

/// The item with a hundred comments of wide tables.
pub(super) const TABLES: &str = "ATTACK-1";

/// The item with many long comments.
pub(super) const LONG: &str = "ATTACK-2";

const TABLE_COMMENTS: usize = 100;
const LONG_COMMENTS: usize = 1_488;
const PAGES: usize = 296;

/// Writers at once: commits share their waits for the disk.
const WRITERS: usize = 16;

/// Different labels of a project, of which an item has so many at most.
const LABELS: usize = 2_000;
const LABELS_OF_ITEM: usize = 50;

/// Batches of a log, which has eight megabytes, and entries of one.
const BATCHES: usize = 100;
const ENTRIES: usize = 1_000;

/// Ids of what no list answers first, each by the end of the address of its list: the run with a long log, an attachment, a
/// sprint, and the comments that were edited.
pub(super) struct Run {
    pub(super) made: Vec<(String, String)>,
}

pub(super) async fn prepare(stage: &Stage) -> Run {
    let began = Instant::now();
    seed::seed(stage, &[(MANY, ITEMS)]).await;
    let target = target(stage);
    let org = format!("/api/v1/orgs/{}", stage.org());
    target.send(&format!("{org}/projects"), &format!(r#"{{"key":"{PROJECT}","name":"Attack"}}"#)).await;
    for title in ["Tables", "Long"] {
        let body = format!(r#"{{"type":"task","title":"{title}"}}"#);
        target.send(&format!("{org}/projects/{PROJECT}/items"), &body).await;
    }
    let table = format!("|{}\\n|{}\\n{}", "a|".repeat(8_000), "-|".repeat(8_000), "b\\n".repeat(4_000));
    comments(&target, &format!("{org}/items/{TABLES}/comments"), &table, TABLE_COMMENTS).await;
    let long = "word ".repeat(9_990);
    comments(&target, &format!("{org}/items/{LONG}/comments"), &long, LONG_COMMENTS).await;
    pages(&target, &org).await;
    labels(&target, &org).await;
    let run = others(&target, &org).await;
    eprintln!("the ground is prepared in {:.1} s", began.elapsed().as_secs_f64());
    run
}

async fn labels(target: &Target, org: &str) {
    let made = stream::iter(0..LABELS / LABELS_OF_ITEM).map(async |n| {
        let labels: Vec<String> = (0..LABELS_OF_ITEM).map(|m| format!("label-{n}-{m}")).collect();
        let item = json!({ "type": "task", "title": format!("Labels {n}"), "labels": labels });
        target.send(&format!("{org}/projects/{PROJECT}/items"), &item.to_string()).await;
    });
    made.buffer_unordered(WRITERS).collect::<Vec<()>>().await;
}

/// Sends a request that must succeed, and answers what comes.
async fn ask(target: &Target, method: &str, path: &str, body: Value) -> Value {
    let mut connection = Connection::open(target.address).await.expect("a connection can be opened");
    let request = target.request(method, path, &body.to_string());
    let answer = connection.send(&request).await.expect("an answer comes");
    assert!((200..300).contains(&answer.status), "{path}: {}", String::from_utf8_lossy(answer.body));
    serde_json::from_slice(answer.body).unwrap_or_default()
}

/// One of each thing that has an address of its own, of those that projects and the demo lack.
async fn others(target: &Target, org: &str) -> Run {
    let post = async |path: &str, body: Value| ask(target, "POST", &format!("{org}/{path}"), body).await;
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let project = |rest: &str| format!("projects/{PROJECT}/{rest}");
    let team = post(&project("teams"), json!({ "key": "load", "name": "Load" })).await;
    let team = text(&team["id"]);
    let sprint = json!({ "team": team, "name": "One", "start": "2026-01-05", "end": "2026-01-16" });
    let sprint = post(&project("sprints"), sprint).await;
    post(&project("milestones"), json!({ "name": "One" })).await;
    let playbook = json!({ "name": "Load", "instructions": "Do the work.", "harness": "harness_1" });
    let playbook = post(&project("playbooks"), playbook).await;
    let playbook = text(&playbook["id"]);
    let schedule = json!({
        "name": "Load", "cron": "0 6 * * 1", "playbook": playbook, "type": "task", "title": "Load",
    });
    post(&project("schedules"), schedule).await;
    let hook = json!({ "name": "Load", "url": "https://example.com/hook", "events": ["item.created"] });
    post("webhooks", hook).await;
    let mut made = vec![("/sprints".to_owned(), text(&sprint["id"]))];
    for item in [TABLES, LONG] {
        let seen = ask(target, "GET", &format!("{org}/items/{item}"), Value::Null).await;
        let change = json!({ "version": seen["version"], "body": "Two.\n".repeat(5_000) });
        ask(target, "PATCH", &format!("{org}/items/{item}"), change).await;
        let last = post(&format!("items/{item}/comments"), json!({ "body": "One." })).await;
        let (list, id) = (format!("/items/{item}/comments"), text(&last["id"]));
        let change = json!({ "version": last["version"], "body": "Two.\n".repeat(5_000) });
        ask(target, "PATCH", &format!("{org}{list}/{id}"), change).await;
        made.push((list, id));
    }
    let file = json!({ "name": "a.txt", "size": 1, "contentType": "text/plain" });
    let file = post(&format!("items/{TABLES}/attachments"), file).await;
    let attachment = text(&file["attachment"]["id"]);
    let mut connection = Connection::open(target.address).await.expect("a connection can be opened");
    let upload = target.upload(&format!("{org}/attachments/{attachment}/content"), b"a");
    let answer = connection.send(&upload).await.expect("an answer comes");
    assert!(answer.status < 300, "{}", String::from_utf8_lossy(answer.body));
    post(&format!("attachments/{attachment}/commit"), json!({})).await;
    made.push(("/runs".to_owned(), long_log(target, org, &playbook).await));
    made.push(("/attachments".to_owned(), attachment));
    Run { made }
}

/// A run whose log is full of the shortest lines there are, and which left a file.
async fn long_log(target: &Target, org: &str, playbook: &str) -> String {
    let made = ask(target, "POST", &format!("{org}/runners"), json!({ "name": "load" })).await;
    let runner = Target { token: made["secret"].as_str().expect("a secret").to_owned(), ..target.clone() };
    let say =
        async |path: &str, body: Value| ask(&runner, "POST", &format!("/api/v1/runner/{path}"), body).await;
    let hello = json!({
        "machineId": "load", "clientVersion": "0.1.0", "platform": "linux-x86_64", "harnesses": ["harness_1"],
        "parallel": 1, "service": false,
    });
    say("hello", hello).await;
    let wanted = json!({ "playbook": playbook, "harness": "harness_1" });
    let run = ask(target, "POST", &format!("{org}/items/{TABLES}/runs"), wanted).await;
    say("take", json!({ "harnesses": ["harness_1"], "waitSeconds": 10, "requestId": "load" })).await;
    let id = run["id"].as_str().expect("an id").to_owned();
    say(&format!("runs/{id}/start"), json!({ "fence": 1 })).await;
    for batch in 0..BATCHES {
        let line = json!({ "at": "2026-01-01T00:00:00Z", "stream": "stdout", "text": "a" });
        let body = json!({ "fence": 1, "firstSeq": batch * ENTRIES + 1, "entries": vec![line; ENTRIES] });
        say(&format!("runs/{id}/log"), body).await;
    }
    let path = format!("/api/v1/runner/runs/{id}/artifacts/a.txt?fence=1");
    let mut connection = Connection::open(target.address).await.expect("a connection can be opened");
    let answer = connection.send(&runner.upload(&path, b"a")).await.expect("an answer comes");
    assert!(answer.status < 300, "{}", String::from_utf8_lossy(answer.body));
    id
}

async fn comments(target: &Target, path: &str, body: &str, count: usize) {
    let body = format!(r#"{{"body":"{body}"}}"#);
    let written = stream::iter(0..count).map(|_| target.send(path, &body));
    written.buffer_unordered(WRITERS).collect::<Vec<()>>().await;
}

async fn pages(target: &Target, org: &str) {
    let wiki = format!("{org}/projects/{PROJECT}/wiki");
    let text = "some words that are in every page and one after the other ".repeat(3_270);
    let (target, wiki, text) = (target, wiki.as_str(), text.as_str());
    let written = stream::iter(0..PAGES).map(async |n| {
        let path = format!("{wiki}/pages/Page%20{n}");
        target.put(&path, &format!(r#"{{"body":"{text}"}}"#)).await;
    });
    written.buffer_unordered(WRITERS).collect::<Vec<()>>().await;
    let lines = |word: &str, count: usize| (0..count).map(|n| format!("{word}{n}\\n")).collect::<String>();
    let short: String = lines("a", 90);
    let long: String = (0..99_000).map(|n| if n % 2 == 0 { "x\\n" } else { "\\n" }).collect();
    for (version, text) in [("", short), (r#""version":1,"#, long)] {
        let body = format!(r#"{{{version}"body":"{text}"}}"#);
        target.put(&format!("{wiki}/pages/Versions"), &body).await;
    }
}
