//! Reading: an item and a filtered list, against a bare handler that returns the same bytes.

use std::time::Duration;

use svc_end_to_end::Stage;

use super::side::{Side, in_turn, ratio};
use crate::bare::Bare;
use crate::driver::Connection;
use crate::report::{Report, Target, Unit, median};
use crate::seed::{SIZES, target};

const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_millis(1200);
/// Matches a sixth of the items or so.
pub(super) const FILTER: &str =
    "filter=state%3Aactive%20priority%3A%3E%3Dmedium%20-label%3Awontfix&pageSize=50";

pub(crate) async fn reads(report: &mut Report, stage: &Stage) {
    let (org, project, target) = (stage.org(), SIZES[1].0, target(stage));
    let item = target.get(&format!("/api/v1/orgs/{org}/items/{project}-1"));
    against_bare(report, stage, "GET item, of a bare handler's rate", 0.5, item).await;
    let list = target.get(&format!("/api/v1/orgs/{org}/projects/{project}/items?{FILTER}"));
    against_bare(report, stage, "50 of 10,000 items filtered, of a bare handler's rate", 0.5, list).await;
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
    in_turn(&mut [&mut floor, &mut service], ROUNDS, ROUND).await;
    report.budget(work, Target::AtLeast(least), ratio(&service.rates, &floor.rates), Unit::Percent);
    report.detail(format!("bare handler, {bytes} bytes"), median(&floor.rates), Unit::PerSecond);
    report.detail("service", median(&service.rates), Unit::PerSecond);
    report.detail("processor time of the bare handler", median(&floor.micros), Unit::Micros);
    report.detail("processor time of the service", median(&service.micros), Unit::Micros);
}
