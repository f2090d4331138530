//! Reading: an item, and filtered lists of projects of three sizes.

use std::net::SocketAddr;
use std::time::Duration;

use rustix::process::Pid;
use svc_end_to_end::Stage;

use super::rest::{cpu_seconds, resident_megabytes};
use crate::bare::Bare;
use crate::driver::{Connection, rate};
use crate::report::{Report, Target, Unit, median};
use crate::seed::{SIZES, Seeded};

const CONNECTIONS: usize = 32;
const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_millis(1200);
/// Matches a sixth of the items or so.
const FILTER: &str = "filter=state%3Aactive%20priority%3A%3E%3Dmedium%20-label%3Awontfix&pageSize=50";

/// One of those that are compared.
struct Side {
    address: SocketAddr,
    pid: Pid,
    request: Vec<u8>,
    rates: Vec<f64>,
    /// Of the server, for each request.
    micros: Vec<f64>,
}

impl Side {
    fn new(address: SocketAddr, pid: Pid, request: Vec<u8>) -> Self {
        Self { address, pid, request, rates: Vec::new(), micros: Vec::new() }
    }

    async fn round(&mut self) {
        let before = cpu_seconds(self.pid);
        let rate = rate(self.address, &self.request, CONNECTIONS, ROUND).await;
        let requests = rate * ROUND.as_secs_f64();
        self.micros.push((cpu_seconds(self.pid) - before) / requests * 1e6);
        self.rates.push(rate);
    }
}

/// Rounds of each in turn, so that what else the machine does hits all alike.
async fn in_turn(sides: &mut [&mut Side]) {
    for side in sides.iter_mut() {
        rate(side.address, &side.request, CONNECTIONS, ROUND / 4).await;
    }
    for _ in 0..ROUNDS {
        for side in sides.iter_mut() {
            side.round().await;
        }
    }
}

/// Median of the ratios of each round.
fn ratio(above: &[f64], below: &[f64]) -> f64 {
    let ratios: Vec<f64> = above.iter().zip(below).map(|(above, below)| above / below).collect();
    median(&ratios)
}

pub(crate) async fn reads(report: &mut Report, stage: &Stage, seeded: &Seeded) {
    let target = &seeded.target;
    let item = target.get(&format!("/api/v1/orgs/{}/items/{}-1", stage.org(), SIZES[1].0));
    against_bare(report, stage, "GET item, of a bare handler's rate", 0.5, item).await;
    let list = |key: &str| target.get(&format!("/api/v1/orgs/{}/projects/{key}/items?{FILTER}", stage.org()));
    against_bare(
        report,
        stage,
        "50 of 10,000 items filtered, of a bare handler's rate",
        0.25,
        list(SIZES[1].0),
    )
    .await;
    let pid = stage.server.process().pid();
    let [mut small, mut middle, mut large] = SIZES.map(|(key, _)| Side::new(target.address, pid, list(key)));
    in_turn(&mut [&mut small, &mut middle, &mut large]).await;
    let growth = ratio(&small.rates, &large.rates);
    report.budget(
        "warm list, 100,000 items over 1,000, per request",
        Target::AtMost(1.5),
        growth,
        Unit::Times,
    );
    for (side, (_, size)) in [small, middle, large].iter().zip(SIZES) {
        report.detail(format!("list of {size} items"), median(&side.rates), Unit::PerSecond);
    }
    report.detail("server with 111,000 items in memory, resident", resident_megabytes(pid), Unit::Megabytes);
}

async fn against_bare(report: &mut Report, stage: &Stage, work: &str, least: f64, request: Vec<u8>) {
    let address = stage.server.address();
    let mut connection = Connection::open(address).await.expect("a connection can be opened");
    let answer = connection.send(&request).await.expect("an answer comes");
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(answer.body));
    assert!(answer.head.windows(16).any(|window| window.eq_ignore_ascii_case(b"application/json")));
    let bare = Bare::start(stage.directory(), &format!("bare-{}", request.len()), answer.body).await;
    let bytes = answer.body.len();
    let mut floor = Side::new(bare.address, bare.process.pid(), request.clone());
    let mut service = Side::new(address, stage.server.process().pid(), request);
    in_turn(&mut [&mut floor, &mut service]).await;
    report.budget(work, Target::AtLeast(least), ratio(&service.rates, &floor.rates), Unit::Percent);
    report.detail(format!("bare handler, {bytes} bytes"), median(&floor.rates), Unit::PerSecond);
    report.detail("service", median(&service.rates), Unit::PerSecond);
    report.detail("processor time of the bare handler", median(&floor.micros), Unit::Micros);
    report.detail("processor time of the service", median(&service.micros), Unit::Micros);
}
