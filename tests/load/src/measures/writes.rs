//! Writing durably: one client, and sixty-four at once, whose commits share an fsync.

use std::time::Duration;

use futures::future::join_all;
use svc_end_to_end::{Stage, task};
use tokio::time::{Instant, sleep};

use super::reads::FILTER;
use crate::driver::{Connection, Target as Server, rate};
use crate::report::{Report, Target, Unit, median};
use crate::seed::target;

const CLIENTS: usize = 64;
const DESCRIBING: usize = 16;
const ROUNDS: usize = 3;
const ROUND: Duration = Duration::from_millis(1500);

/// How long a burst of creations lasts, and when nothing depends on it any more.
const BURST: Duration = Duration::from_secs(4);
const LONG_AFTER: Duration = Duration::from_secs(15);

/// What is written again and again.
#[derive(Clone, Copy)]
pub(super) enum Work {
    Create,
    /// Creates an item with a description of 60 words of 20,000, which search has to take in.
    Describe,
    /// Claims an item, releases it, claims it again.
    Claim,
    /// Moves an item there and back.
    Transition,
    /// The same, and asks for a list after it.
    ChangeAndList,
}

/// One client with an item of its own.
pub(super) struct Writer {
    server: Server,
    connection: Connection,
    org: String,
    project: String,
    key: String,
    version: u64,
    turn: bool,
    words: u64,
}

pub(crate) async fn writes(report: &mut Report, stage: &Stage) {
    let mut clients = Vec::new();
    for _ in 0..CLIENTS {
        clients.push(Writer::new(stage, stage.project()).await);
    }
    for (name, work) in [("create", Work::Create), ("claim", Work::Claim), ("transition", Work::Transition)] {
        let (mut one, mut many) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            one.push(commits_per_second(&mut clients[..1], work).await);
            many.push(commits_per_second(&mut clients, work).await);
        }
        let ratios: Vec<f64> = many.iter().zip(&one).map(|(many, one)| many / one).collect();
        let title = format!("{name}, {CLIENTS} clients over one, durable commits");
        report.budget(title, Target::AtLeast(3.0), median(&ratios), Unit::Times);
        report.detail("one client", median(&one), Unit::PerSecond);
        report.detail(format!("{CLIENTS} clients"), median(&many), Unit::PerSecond);
    }
    described(report, &mut clients[..DESCRIBING]).await;
    after_a_burst(report, stage, &mut clients).await;
}

/// Lists right after thousands of creations, over the same lists long after.
async fn after_a_burst(report: &mut Report, stage: &Stage, clients: &mut [Writer]) {
    let created: f64 =
        join_all(clients.iter_mut().map(|client| client.rate(Work::Create, BURST))).await.iter().sum();
    let target = target(stage);
    let list = target.get(&format!("/api/v1/orgs/{}/projects/{}/items", stage.org(), stage.project()));
    let early = rate(target.address, &list, DESCRIBING, ROUND).await;
    sleep(LONG_AFTER).await;
    let late = rate(target.address, &list, DESCRIBING, ROUND).await;
    report.budget(
        "lists right after a burst of creations over long after",
        Target::AtLeast(0.7),
        early / late,
        Unit::Times,
    );
    report.detail("creations of the burst", created * BURST.as_secs_f64(), Unit::Count);
    report.detail("right after", early, Unit::PerSecond);
    report.detail("long after", late, Unit::PerSecond);
}

/// Creating items with descriptions, while search takes in those that were created before.
async fn described(report: &mut Report, clients: &mut [Writer]) {
    let (mut plain, mut described) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        plain.push(commits_per_second(clients, Work::Create).await);
        described.push(commits_per_second(clients, Work::Describe).await);
    }
    let ratios: Vec<f64> = described.iter().zip(&plain).map(|(described, plain)| described / plain).collect();
    let title = format!("create with 60 words over without, {DESCRIBING} clients");
    report.budget(title, Target::AtLeast(0.5), median(&ratios), Unit::Times);
    report.detail("with 60 words", median(&described), Unit::PerSecond);
    report.detail("without", median(&plain), Unit::PerSecond);
}

async fn commits_per_second(clients: &mut [Writer], work: Work) -> f64 {
    let rates = clients.iter_mut().map(|client| client.rate(work, ROUND));
    join_all(rates).await.into_iter().sum()
}

impl Writer {
    /// A client that has created its item.
    pub(super) async fn new(stage: &Stage, project: &str) -> Self {
        let server = target(stage);
        let org = stage.client().org(stage.org());
        let item = org.create_item(project, &task("Of one client")).await.expect("an item can be created");
        let connection = Connection::open(server.address).await.expect("a connection can be opened");
        let words = item.key.bytes().fold(1, |words: u64, byte| words.wrapping_mul(31) + u64::from(byte));
        let (org, project) = (stage.org().to_owned(), project.to_owned());
        Self { server, connection, org, project, key: item.key, version: item.version, turn: false, words }
    }

    /// Writes per second, one after the other for so long.
    pub(super) async fn rate(&mut self, work: Work, time: Duration) -> f64 {
        let began = Instant::now();
        let mut count = 0_u64;
        while began.elapsed() < time {
            self.write(work).await;
            count += 1;
        }
        count as f64 / began.elapsed().as_secs_f64()
    }

    async fn write(&mut self, work: Work) {
        let (org, key, version) = (&self.org, &self.key, self.version);
        let item = |action: &str| format!("/api/v1/orgs/{org}/items/{key}/{action}");
        self.turn = !self.turn;
        let (path, body) = match work {
            Work::Create => (
                format!("/api/v1/orgs/{org}/projects/{}/items", self.project),
                r#"{"type":"task","title":"One of many"}"#.to_owned(),
            ),
            Work::Describe => {
                let path = format!("/api/v1/orgs/{org}/projects/{}/items", self.project);
                let body: Vec<String> = (0..60).map(|_| word(&mut self.words)).collect();
                (path, format!(r#"{{"type":"task","title":"One of many","body":"{}"}}"#, body.join(" ")))
            }
            Work::Claim if self.turn => (item("claim"), format!(r#"{{"version":{version}}}"#)),
            Work::Claim => (item("release"), String::new()),
            Work::Transition | Work::ChangeAndList => {
                let state = if self.turn { "In progress" } else { "Backlog" };
                (item("transition"), format!(r#"{{"version":{version},"state":"{state}"}}"#))
            }
        };
        let request = self.server.post(&path, &body);
        let answer = self.connection.send(&request).await.expect("an answer comes");
        let text = String::from_utf8_lossy(answer.body);
        assert!((200..300).contains(&answer.status), "{path}: {text}");
        if !matches!(work, Work::Create | Work::Describe) {
            self.version = version_in(&text);
        }
        if matches!(work, Work::ChangeAndList) {
            let list = format!("/api/v1/orgs/{}/projects/{}/items?{FILTER}", self.org, self.project);
            let answer = self.connection.send(&self.server.get(&list)).await.expect("an answer comes");
            assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(answer.body));
        }
    }
}

/// One of 20,000 words.
fn word(seed: &mut u64) -> String {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    format!("w{}", (*seed >> 33) % 20_000)
}

fn version_in(item: &str) -> u64 {
    let (_, rest) = item.split_once("\"version\":").expect("an item has a version");
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    digits.parse().expect("a version is a number")
}
