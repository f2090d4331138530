//! The log of a run: batches repeated, missing, capped, and followed.

use std::time::Duration;

use http::StatusCode;
use jiff::SignedDuration;
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
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    let append = |body| stage.say(&machine, &run, "log", body);
    for body in [batch(1, &["a", "b"]), batch(1, &["a", "b"]), batch(2, &["b", "c"]), batch(4, &["d"])] {
        append(body).await.is(200);
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

/// The check found nothing where batches of a log were gone.
#[tokio::test]
async fn a_check_says_which_lines_of_which_log_are_lost() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    for body in [batch(1, &["a", "b"]), batch(3, &["c"]), batch(4, &["d", "e"])] {
        stage.say(&machine, &run, "log", body).await;
    }
    let found = async || {
        let report = svc_app::check::run(&stage.kit.app, None).await.unwrap();
        let of_logs = report.findings.into_iter().filter(|finding| finding.kind.ends_with(" LOG"));
        of_logs.map(|finding| finding.problem).collect::<Vec<_>>()
    };
    assert_eq!(found().await, [""; 0]);
    let log = stage.kit.directory().join(format!("blobs/log/{}/{run}", stage.org.id));
    std::fs::write(log.join("000000000003"), b"[{").unwrap();
    std::fs::remove_file(log.join("000000000004")).unwrap();
    let of = format!("the log of run {run} of PRJ-1");
    let unreadable = format!("{of} has a batch that cannot be read, from line 3 on");
    assert_eq!(found().await, [unreadable]);
    std::fs::remove_file(log.join("000000000003")).unwrap();
    assert_eq!(found().await, [format!("{of} lacks lines 3 to 5")]);
    let looked = svc_app::check::logs(&stage.kit.app, Duration::from_secs(60)).await.unwrap();
    assert_eq!((looked.read, looked.all, looked.lost), (1, true, found().await), "and so does a quick look");
    let hasty = svc_app::check::logs(&stage.kit.app, Duration::ZERO).await.unwrap();
    assert_eq!((hasty.read, hasty.all), (0, false), "which ends in time");
    std::fs::remove_dir_all(&log).unwrap();
    assert_eq!(found().await, [format!("{of} lacks lines 1 to 5")]);
    stage.kit.advance(SignedDuration::from_hours(24 * 400));
    assert_eq!(found().await.len(), 0, "old logs are swept");
}

#[tokio::test]
async fn streams_are_told_apart() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    let streams = ["event", "stdout", "stderr"];
    let entry = |stream: &&str| json!({"at": "2026-01-05T09:00:00Z", "stream": stream, "text": "x"});
    let body = json!({"fence": 1, "firstSeq": 1, "entries": streams.iter().map(entry).collect::<Vec<_>>()});
    stage.say(&machine, &run, "log", body).await.is(200);
    let page = stage.get(&format!("/runs/{run}/log"), &stage.operator).await.json;
    let seen: Vec<_> =
        page["entries"].as_array().unwrap().iter().map(|entry| entry["stream"].clone()).collect();
    assert_eq!(json!(seen), json!(streams));
}

#[tokio::test]
async fn a_batch_whose_answer_was_lost_before_the_head_moved_is_kept_once() {
    let (stage, machine) = Stage::with_runner().await;
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
    let (stage, machine) = Stage::with_runner().await;
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
    let (stage, machine) = Stage::with_runner().await;
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

/// 8 MiB of one-character lines were 201,000 entries of one answer.
#[tokio::test]
async fn a_page_has_a_bound_of_entries() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    for first in (1..=6_000).step_by(1_000) {
        let reply = stage.say(&machine, &run, "log", batch(first, &["y"; 1_000])).await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    }
    let page = stage.get(&format!("/runs/{run}/log"), &stage.operator).await.json;
    assert_eq!((page["entries"].as_array().unwrap().len(), &page["nextAfter"]), (5_000, &json!(5_000)));
    let page = stage.get(&format!("/runs/{run}/log?after=5000"), &stage.operator).await.json;
    assert_eq!((page["entries"].as_array().unwrap().len(), &page["nextAfter"]), (1_000, &json!(6_000)));
}

#[tokio::test]
async fn the_end_of_a_log_is_read_first_and_what_came_before_as_one_scrolls_up() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    for (first, batch_texts) in [(1, ["a", "b"]), (3, ["c", "d"]), (5, ["e", "f"])] {
        stage.say(&machine, &run, "log", batch(first, &batch_texts)).await;
    }
    let read = async |query: &str| stage.get(&format!("/runs/{run}/log?{query}"), &stage.operator).await;
    let end = read("tail=3").await.json;
    assert_eq!(texts(&end), [(4, "d"), (5, "e"), (6, "f")]);
    let facts = (&end["nextAfter"], &end["lastSeq"], &end["bytes"], &end["over"]);
    assert_eq!(facts, (&json!(6), &json!(6), &json!(246), &json!(false)));
    assert_eq!(texts(&read("before=4&limit=2").await.json), [(2, "b"), (3, "c")]);
    assert_eq!(texts(&read("before=2").await.json), [(1, "a")]);
    assert_eq!(texts(&read("before=1").await.json), []);
    let next = read("after=1&limit=3").await.json;
    assert_eq!((texts(&next), &next["nextAfter"]), (vec![(2, "b"), (3, "c"), (4, "d")], &json!(4)));
    assert_eq!(texts(&read("tail=100000").await.json).len(), 6);
    let both = read("tail=3&before=2").await;
    assert_eq!(both.problem(), "validation-failed");
    let far = read("after=18446744073709551615").await.json;
    assert_eq!((texts(&far), &far["nextAfter"]), (vec![], &json!(u64::MAX)));

    // Two entries of this size are more than an answer has room for: the last one is what was asked for.
    let long = "y".repeat(700_000);
    stage.say(&machine, &run, "log", batch(7, &[&long])).await;
    stage.say(&machine, &run, "log", batch(8, &[&long])).await;
    let end = read("tail=2").await.json;
    assert_eq!(
        end["entries"].as_array().unwrap().iter().map(|e| e["seq"].as_u64()).collect::<Vec<_>>(),
        [Some(8)]
    );
}

#[tokio::test]
async fn a_log_is_followed_until_its_run_is_over() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    stage.say(&machine, &run, "log", batch(1, &["a", "b"])).await;
    let path = format!("/orgs/demo/runs/{run}/log/stream");
    let first = stage.get(&format!("{path}?tail=1"), &stage.operator).await;
    let event = |text: &str| -> (Value, String) {
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap().to_owned();
        (serde_json::from_str(&field("data: ")).unwrap(), field("id: "))
    };
    let (data, id) = event(&first.text);
    assert_eq!((texts(&data), id.as_str()), (vec![(2, "b")], "2"));
    stage.say(&machine, &run, "finish", json!({"fence": 1, "result": "succeeded"})).await;
    let (data, _) = event(&stage.get(&format!("{path}?after=2"), &stage.operator).await.text);
    assert_eq!(data["over"], true);
}

#[tokio::test]
async fn the_end_of_a_log_of_many_batches_is_read_without_reading_all_of_them() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    for first in 1..=230 {
        stage.say(&machine, &run, "log", batch(first, &["x"])).await.is(200);
    }
    let read = async |query: &str| {
        let page = stage.get(&format!("/runs/{run}/log?{query}"), &stage.operator).await.json;
        texts(&page).iter().map(|(seq, _)| *seq).collect::<Vec<_>>()
    };
    let end = read("tail=1000").await;
    assert_eq!((end.first(), end.last(), end.len()), (Some(&31), Some(&230), 200));
    assert_eq!(read("before=31").await, (1..31).collect::<Vec<_>>());
    assert_eq!(read("tail=150").await.len(), 150);
}

#[tokio::test]
async fn following_a_log_that_was_deleted_ends() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    stage.say(&machine, &run, "log", batch(1, &["a", "b"])).await;
    stage.say(&machine, &run, "finish", json!({"fence": 1, "result": "succeeded"})).await;
    stage.kit.advance(SignedDuration::from_hours(24 * 400));
    assert!(svc_app::factory::log::sweep(&stage.kit.app).await.unwrap() > 0);
    let told = stage.get(&format!("/orgs/demo/runs/{run}/log/stream"), &stage.operator).await.is(200);
    assert!(told.text.contains("\"over\":true") && told.text.contains("\"entries\":[]"), "{}", told.text);
}
