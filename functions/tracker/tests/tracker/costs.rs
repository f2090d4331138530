//! What requests cost on DynamoDB, held to the budgets: round trips, of which none is spared by luck, and
//! units.

use std::fmt::Write as _;

use insta::assert_snapshot;
use svc_testkit::priced;

#[tokio::test]
async fn requests_keep_to_their_budgets_of_round_trips_and_units() {
    let priced = priced(svc_tracker::router()).await;
    let table = priced.iter().fold(String::new(), |mut table, priced| {
        let _ = writeln!(table, "{}: {}", priced.work, priced.cost);
        table
    });
    let over: Vec<&str> = priced.iter().filter(|p| !p.is_within_budget()).map(|p| p.work).collect();
    assert!(over.is_empty(), "over their budgets: {over:?}\n{table}");
    assert_snapshot!(table);
}
