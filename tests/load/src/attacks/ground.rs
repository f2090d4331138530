//! What attacks are about: long comments, wide tables, large pages, and two versions of one that have nothing in
//! common. All of it is made through the API, as whoever may write can.

use std::time::Instant;

use futures::StreamExt as _;
use futures::stream;
use svc_end_to_end::Stage;

use crate::driver::Target;
use crate::seed::target;

/// Key of the project that has it.
pub(super) const PROJECT: &str = "ATTACK";

/// The item with a hundred comments of wide tables.
pub(super) const TABLES: &str = "ATTACK-1";

/// The item with many long comments.
pub(super) const LONG: &str = "ATTACK-2";

const TABLE_COMMENTS: usize = 100;
const LONG_COMMENTS: usize = 1_488;
const PAGES: usize = 296;

/// Writers at once: commits share their waits for the disk.
const WRITERS: usize = 16;

pub(super) async fn prepare(stage: &Stage) {
    let began = Instant::now();
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
    eprintln!("the ground is prepared in {:.1} s", began.elapsed().as_secs_f64());
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
