//! Growth: the same requests to projects of a thousand items to a million, warm.

use std::time::Duration;

use svc_end_to_end::Stage;

use super::reads::FILTER;
use super::side::{Side, in_turn, ratio};
use super::writes::{Work, Writer};
use crate::report::{Report, Target, Unit, median};
use crate::seed::{SIZES, target};

const ROUNDS: usize = 3;
const ROUND: Duration = Duration::from_millis(800);
/// By how much a request may cost more in the largest project than in the smallest.
const MOST: f64 = 1.2;
/// Comments of the item whose page is measured.
const COMMENTS: usize = 20;

pub(crate) async fn growth(report: &mut Report, stage: &Stage) {
    let target = target(stage);
    for (key, _) in SIZES {
        for number in 0..COMMENTS {
            let path = format!("/api/v1/orgs/{}/items/{key}-1/comments", stage.org());
            target.send(&path, &format!(r#"{{"body":"Thought {number} about it."}}"#)).await;
        }
    }
    let project = |rest: &str| format!("/api/v1/orgs/{}/projects/{{}}/{rest}", stage.org());
    let item = |rest: &str| format!("/api/v1/orgs/{}/items/{{}}-1{rest}", stage.org());
    for (work, path) in [
        ("filtered list of 50", project(&format!("items?{FILTER}"))),
        (
            "board: the items of a state by hand's order",
            project("items?filter=state%3A%22in%20progress%22&sort=rank"),
        ),
        ("autocomplete of a key", project("search?types=items&q=%2312")),
        ("autocomplete of a title", project("search?types=items&q=search%20part")),
        ("item page: the item", item("")),
        ("item page: its comments, 20", item("/comments")),
    ] {
        reads(report, stage, work, &path).await;
    }
    for (work, title) in [
        (Work::Create, "create"),
        (Work::Transition, "transition"),
        (Work::ChangeAndList, "transition, and the list that shows it"),
    ] {
        writes(report, stage, title, work).await;
    }
}

/// `path` has `{}` where the project's key comes.
async fn reads(report: &mut Report, stage: &Stage, work: &str, path: &str) {
    let (target, pid) = (target(stage), stage.server.process().pid());
    let side = |key: &str| Side::new(target.address, pid, target.get(&path.replace("{}", key)));
    let mut sides = SIZES.map(|(key, _)| side(key));
    in_turn(&mut sides.iter_mut().collect::<Vec<_>>(), ROUNDS, ROUND).await;
    tell(report, work, &sides.map(|side| side.rates));
}

async fn writes(report: &mut Report, stage: &Stage, title: &str, work: Work) {
    let mut writers = Vec::new();
    for (key, _) in SIZES {
        writers.push(Writer::new(stage, key).await);
    }
    let mut rates = SIZES.map(|_| Vec::new());
    for round in 0..=ROUNDS {
        for (writer, rates) in writers.iter_mut().zip(&mut rates) {
            let rate = writer.rate(work, ROUND).await;
            // The first round warms up.
            rates.extend((round > 0).then_some(rate));
        }
    }
    tell(report, title, &rates);
}

/// Rates at each size, and by how much a request costs more in the largest than in the smallest.
fn tell(report: &mut Report, work: &str, rates: &[Vec<f64>; SIZES.len()]) {
    let (small, large) = (&rates[0], &rates[SIZES.len() - 1]);
    let title = format!("{work}: {} items over {}", SIZES[SIZES.len() - 1].1, SIZES[0].1);
    report.budget(title, Target::AtMost(MOST), ratio(small, large), Unit::Times);
    for (rates, (_, size)) in rates.iter().zip(SIZES) {
        report.detail(format!("at {size} items"), median(rates), Unit::PerSecond);
    }
}
