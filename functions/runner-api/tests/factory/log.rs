//! The log of a run: batches repeated, missing, capped, and followed.

use http::StatusCode;
use serde_json::{Value, json};
use svc_app::Settings;

use crate::stage::Stage;

fn batch(first: u64, texts: &[&str]) -> Value {
    let entry = |text: &&str| json!({"at": "2026-01-05T09:00:00Z", "stream": "stdout", "text": text});
    json!({"fence": 1, "firstSeq": first, "entries": texts.iter().map(entry).collect::<Vec<_>>()})
}

fn texts(page: &Value) -> Vec<(u64, &str)> {
    let entries = page["entries"].as_array().unwrap();
    entries.iter().map(|e| (e["seq"].as_u64().unwrap(), e["text"].as_str().unwrap())).collect()
}

#[tokio::test]
async fn batches_are_read_once_and_in_order_however_often_they_come() {
    let stage = Stage::new().await;
    let machine = stage.runner("box").await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    let append = |body| stage.say(&machine, &run, "log", body);
    for body in [batch(1, &["a", "b"]), batch(1, &["a", "b"]), batch(2, &["b", "c"]), batch(4, &["d"])] {
        let reply = append(body).await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    }
    let gap = append(batch(6, &["f"])).await;
    assert_eq!((gap.status, gap.problem()), (StatusCode::CONFLICT, "log-gap"));
    let path = format!("/runs/{run}/log");
    let page = stage.get(&path, &stage.operator).await.json;
    assert_eq!(texts(&page), [(1, "a"), (2, "b"), (3, "c"), (4, "d")]);
    assert_eq!((&page["nextAfter"], &page["truncated"]), (&json!(4), &json!(false)));
    let page = stage.get(&format!("{path}?after=1"), &stage.operator).await.json;
    assert_eq!(texts(&page), [(2, "b"), (3, "c"), (4, "d")], "a number inside a batch");
    for beyond in [u64::MAX, u64::MAX - 1, 5] {
        let page = stage.get(&format!("{path}?after={beyond}"), &stage.operator).await;
        assert_eq!(
            (page.status, texts(&page.json).len()),
            (StatusCode::OK, 0),
            "after {beyond}: {}",
            page.text
        );
    }
    let page = stage.get(&format!("/orgs/demo{path}?after=4"), &stage.operator).await.json;
    assert_eq!((texts(&page).len(), &page["nextAfter"]), (0, &json!(4)));
}

#[tokio::test]
async fn a_batch_whose_answer_was_lost_before_the_head_moved_is_kept_once() {
    let stage = Stage::new().await;
    let machine = stage.runner("box").await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    // What a crash between blob and head leaves.
    let name = format!("{}/{run}/{:012}", stage.org.id, 1);
    let key = svc_storage::BlobKey::new(svc_storage::Retention::Log, &name);
    stage.kit.app.blobs.put_once(&key, "[]".into()).await.unwrap();
    assert_eq!(stage.say(&machine, &run, "log", batch(1, &["a"])).await.status, StatusCode::OK);
    let page = stage.get(&format!("/runs/{run}/log"), &stage.operator).await.json;
    assert_eq!(texts(&page), [(1, "a")]);
}

#[tokio::test]
async fn past_the_cap_the_log_is_truncated_and_the_run_goes_on() {
    let mut settings = Settings::default();
    settings.automation.max_log_bytes = 200;
    let stage = Stage::with(settings).await;
    let machine = stage.runner("box").await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    let long = "x".repeat(60);
    let reply = stage.say(&machine, &run, "log", batch(1, &[&long, &long, &long])).await;
    assert_eq!((&reply.json["truncated"], &reply.json["nextSeq"]), (&json!(true), &json!(4)));
    let reply = stage.say(&machine, &run, "log", batch(4, &["more"])).await;
    assert_eq!(reply.status, StatusCode::OK);
    let page = stage.get(&format!("/runs/{run}/log"), &stage.operator).await.json;
    assert_eq!((texts(&page).len(), &page["truncated"]), (2, &json!(true)));
    let tail = |first, texts: &[&str]| {
        let mut body = batch(first, texts);
        body["tail"] = json!(true);
        body
    };
    for body in [tail(90, &["nearly", "there"]), tail(90, &["nearly", "there"]), tail(92, &["done"])] {
        let reply = stage.say(&machine, &run, "log", body).await;
        assert_eq!(
            (reply.status, &reply.json["truncated"]),
            (StatusCode::OK, &json!(true)),
            "{}",
            reply.text
        );
    }
    assert_eq!(stage.say(&machine, &run, "log", tail(99, &["later"])).await.problem(), "log-gap");
    let page = stage.get(&format!("/runs/{run}/log"), &stage.operator).await.json;
    let ends =
        [(3, "The log was too long: 87 lines are left out here"), (4, "nearly"), (5, "there"), (6, "done")];
    assert_eq!(texts(&page)[2..], ends, "the end of a log is kept, whatever its length");
    let finish = json!({"fence": 1, "result": "succeeded"});
    assert_eq!(stage.say(&machine, &run, "finish", finish).await.status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn a_batch_must_have_entries_and_a_bound() {
    let stage = Stage::new().await;
    let machine = stage.runner("box").await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    for body in [batch(1, &[]), batch(0, &["x"]), batch(1, &["x"; 1_001])] {
        let reply = stage.say(&machine, &run, "log", body).await;
        assert_eq!(reply.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    // A full batch is more than other bodies may be.
    let line = "\u{1}".repeat(990);
    let reply = stage.say(&machine, &run, "log", batch(1, &vec![line.as_str(); 1_000])).await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
}

#[tokio::test]
async fn a_log_is_read_in_pages_until_its_end() {
    let stage = Stage::new().await;
    let machine = stage.runner("box").await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    let line = "y".repeat(400_000);
    for first in [1, 3, 5] {
        let reply = stage.say(&machine, &run, "log", batch(first, &[&line, &line])).await;
        assert_eq!(reply.status, StatusCode::OK);
    }
    let (mut after, mut pages, mut entries) = (0, 0, 0);
    loop {
        let page = stage.get(&format!("/runs/{run}/log?after={after}"), &stage.operator).await.json;
        let count = page["entries"].as_array().unwrap().len();
        if count == 0 {
            break;
        }
        (pages, entries) = (pages + 1, entries + count);
        after = page["nextAfter"].as_u64().unwrap();
    }
    assert_eq!((pages, entries, after), (2, 6, 6));
}
