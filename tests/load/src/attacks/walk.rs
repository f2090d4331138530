//! The walk: every GET of the contract, as often at once as a minute's budget allows, on the largest data there is.
//!
//! The addresses come from the OpenAPI document. A place in one (`{id}`) is filled from the list that the address before it
//! answers, so a new GET is walked by itself. One whose place cannot be filled fails the walk: say in [`NAMED`] what comes
//! there, or make one in [`super::ground`].

use std::io;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures::future::join_all;
use serde_json::Value;
use svc_end_to_end::Stage;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::ground::{LONG, MANY, PROJECT, Run, TABLES};
use super::{Attack, MEMORY, READ, notice};
use crate::driver::Target;
use crate::report::{Report, Target as Budget, Unit};
use crate::seed::target;

/// How the attack is called.
pub(super) const NAME: &str = "walk";

/// Requests at once: what a token may ask for in a minute, about.
const AT_ONCE: usize = 240;

/// How long each address is asked for.
const LASTS: Duration = Duration::from_millis(2_500);

/// What comes at a place, by the end of the address up to it. Of several, each is walked.
const NAMED: [(&str, &[&str]); 11] = [
    ("/projects/{key}", &[PROJECT, MANY]),
    ("/items/{key}", &[TABLES, LONG]),
    ("/wiki/access/{path}", &["Versions"]),
    ("/wiki/diff/{path}", &["Versions"]),
    ("/wiki/pages/{path}", &["Page%200", "Versions"]),
    ("/wiki/version/{number}", &["2"]),
    ("/wiki/version/2/{path}", &["Versions"]),
    ("/wiki/versions/{path}", &["Versions"]),
    ("/edits/{version}", &["2"]),
    ("/avatars/{id}", &["00000000-0000-7000-8000-000000000000"]),
    ("/unsubscribe/{token}", &["no-such-token"]),
];

/// Queries, by the end of the address: what makes the answer as large as it can be.
const ASKED: [(&str, &str); 12] = [
    ("/comments", "pageSize=100&render=html"),
    ("/items", "pageSize=100&q=part"),
    ("/items/counts", "by=label"),
    ("/factory-stats", "by=agent&weekly=true"),
    ("/search", "q=words&limit=50"),
    ("/stats", "weeks=52"),
    ("/wiki/diff/Versions", "from=1&to=2"),
    ("/page", "render=html"),
    ("/log", "limit=5000"),
    ("/log/stream", "tail=5000"),
    ("/auth/oidc/callback", "code=x&state=x"),
    ("/code-host/callback", "code=x&state=x"),
];

/// Addresses that refuse what is asked of them here, by their ends.
const REFUSED: [&str; 7] = [
    "/auth/oidc/callback",
    "/code-host/callback",
    "/avatars/00000000-0000-7000-8000-000000000000",
    "/unsubscribe/no-such-token",
    "/refinement",
    "/code-host",
    "/changes",
];

/// What an address came to.
struct Walked {
    address: String,
    read: f64,
    memory: f64,
    answers: u64,
}

/// Walks every GET, or those whose address contains what is asked for.
pub(super) async fn walk(report: &mut Report, stage: &Stage, other: &Target, run: &Run, part: Option<&str>) {
    let target = target(stage);
    let mut walked = Vec::new();
    for address in addresses(stage, &target, run).await {
        if part.is_some_and(|part| !address.contains(part)) {
            continue;
        }
        let first = whole(&target, &address).await.expect("an answer comes");
        let path = address.split('?').next().unwrap_or_default();
        let refuses = REFUSED.iter().any(|end| path.ends_with(end));
        assert!(first.0 < 400 || (refuses && first.0 < 500), "{address}: {} {}", first.0, first.1);
        let attack = Attack::on(stage);
        let flood = {
            let (attack, address) = (attack.clone(), address.clone());
            move || burst(attack, address)
        };
        let (read, memory) = notice(stage, other, &attack, LASTS, flood).await;
        let answers = attack.answers.load(Ordering::Relaxed);
        eprintln!("{address}: {read:.0} ms, {memory:.0} MB, {answers} answers");
        walked.push(Walked { address, read, memory, answers });
    }
    let worst = |of: fn(&Walked) -> f64| walked.iter().max_by(|a, b| of(a).total_cmp(&of(b)));
    if let Some(slowest) = worst(|walked| walked.read) {
        let what = format!("{} GETs × {AT_ONCE}: others' reads, p99, at {}", walked.len(), slowest.address);
        report.budget(what, Budget::AtMost(READ), slowest.read, Unit::Millis);
    }
    if let Some(largest) = worst(|walked| walked.memory) {
        let what = format!("{} GETs × {AT_ONCE}: memory, at {}", walked.len(), largest.address);
        report.budget(what, Budget::AtMost(MEMORY), largest.memory, Unit::Megabytes);
    }
    for walked in walked.iter().filter(|walked| walked.read > READ || walked.memory > MEMORY) {
        report.detail(format!("reads at {}", walked.address), walked.read, Unit::Millis);
        report.detail("its memory", walked.memory, Unit::Megabytes);
        report.detail("its answers", walked.answers as f64, Unit::Count);
    }
}

/// Every address of the contract that a GET has, with all places filled.
async fn addresses(stage: &Stage, target: &Target, run: &Run) -> Vec<String> {
    let (_, document) = whole(target, "/openapi/v1.json").await.expect("the document comes");
    let document: Value = serde_json::from_str(&document).expect("the document is JSON");
    let paths = document["paths"].as_object().expect("the document has paths");
    let mut all = Vec::new();
    for (path, operations) in paths {
        if operations.get("get").is_none() {
            continue;
        }
        for filled in filled(stage, target, run, path).await {
            let asked = ASKED.iter().find(|(end, _)| filled.ends_with(end));
            all.push(asked.map_or_else(|| filled.clone(), |(_, query)| format!("{filled}?{query}")));
        }
    }
    all
}

/// A path with all its places filled, in each way there is.
async fn filled(stage: &Stage, target: &Target, run: &Run, path: &str) -> Vec<String> {
    let mut ways = vec![String::new()];
    for part in path.split('/').skip(1) {
        let mut next = Vec::new();
        for way in ways {
            if !part.starts_with('{') {
                next.push(format!("{way}/{part}"));
                continue;
            }
            for value in values(stage, target, run, &way, part).await {
                next.push(format!("{way}/{value}"));
            }
        }
        ways = next;
    }
    ways
}

/// What comes at a place behind an address.
async fn values(stage: &Stage, target: &Target, run: &Run, before: &str, place: &str) -> Vec<String> {
    let address = format!("{before}/{place}");
    if place == "{slug}" {
        return vec![stage.org().to_owned()];
    }
    // Whatever project it is in, one address of an item is as good as another.
    if let Some((_, named)) = NAMED.iter().find(|(end, _)| address.ends_with(end)) {
        return named.iter().map(|name| (*name).to_owned()).collect();
    }
    if let Some((_, id)) = run.made.iter().find(|(end, _)| before.ends_with(end)) {
        return vec![id.clone()];
    }
    let (status, list) = whole(target, before).await.expect("an answer comes");
    let list: Value = serde_json::from_str(&list).unwrap_or_default();
    let rows = list.as_array().or_else(|| list["items"].as_array()).cloned().unwrap_or_default();
    let id =
        |row: &Value| ["id", "key", "name"].iter().find_map(|field| row[*field].as_str().map(str::to_owned));
    // A change of text is among the last of a history.
    match rows.iter().rev().find_map(id) {
        Some(id) => vec![id],
        // The list of the other project has one.
        None if before.contains(MANY) || before.contains(TABLES) => vec![],
        None => panic!("{address}: nothing comes at its end; {before} answers {status}: {list}"),
    }
}

/// Asks for an address as often at once as [`AT_ONCE`], again and again until the attack is over.
async fn burst(attack: Attack, address: String) {
    let one = async || {
        while !attack.is_over() {
            if whole(&attack.target, &address).await.is_ok() {
                attack.answers.fetch_add(1, Ordering::Relaxed);
            }
        }
    };
    join_all((0..AT_ONCE).map(|_| one())).await;
}

/// The status and the body of an answer, over a connection of its own; a body of no length ends with it.
async fn whole(target: &Target, address: &str) -> io::Result<(u16, String)> {
    let mut stream = TcpStream::connect(target.address).await?;
    let Target { address: host, token } = target;
    let head = format!(
        "GET {address} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\
         accept: application/json\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    let text = String::from_utf8_lossy(&answer);
    let status = text.get(9..12).and_then(|status| status.parse().ok()).ok_or(io::ErrorKind::InvalidData)?;
    Ok((status, text.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default()))
}
