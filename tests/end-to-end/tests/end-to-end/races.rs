//! Twenty at once: one wins, nineteen are told so.

use futures::future::join_all;
use svc_api::factory::{RunQuery, RunStatus};
use svc_end_to_end::Stage;

const RIVALS: usize = 20;

/// Runs the same command so many times at once; answers the exit codes, sorted.
async fn at_once(stage: &Stage, args: &[&str]) -> Vec<i32> {
    let rivals = (0..RIVALS).map(|_| stage.home.svc(args));
    let mut codes: Vec<i32> = join_all(rivals).await.into_iter().filter_map(|output| output.code).collect();
    codes.sort_unstable();
    codes
}

fn one_winner() -> Vec<i32> {
    let mut codes = vec![3; RIVALS];
    codes[0] = 0;
    codes
}

#[tokio::test(flavor = "multi_thread")]
async fn of_twenty_claims_of_an_item_one_succeeds() {
    let stage = Stage::set(&[]).await;
    let item = stage.new_item("Wanted by many").await;
    assert_eq!(at_once(&stage, &["item", "claim", &item.key]).await, one_winner());
    let claim = stage.item(&item.key).await.claim.unwrap();
    assert_eq!(claim.holder, stage.client().me().await.unwrap().id);
    let history = stage.client().org(stage.org()).history(&item.key, &Default::default()).await.unwrap();
    assert_eq!(history.items.iter().filter(|entry| entry.action == "claimed").count(), 1, "{history:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_twenty_starts_of_a_run_one_succeeds() {
    let stage = Stage::set(&[]).await;
    let item = stage.new_item("Worked on by one").await;
    assert_eq!(at_once(&stage, &["run", "start", &item.key]).await, one_winner());
    let query = RunQuery { item: Some(item.key.clone()), ..RunQuery::default() };
    let runs = stage.client().org(stage.org()).runs(&query).await.unwrap();
    assert_eq!(runs.items.iter().map(|run| run.status).collect::<Vec<_>>(), [RunStatus::Queued]);
    assert_eq!(stage.item(&item.key).await.live_run.as_ref(), Some(&runs.items[0].id));
}
