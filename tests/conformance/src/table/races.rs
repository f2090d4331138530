//! Several handles on the same rows at the same moment.

use std::sync::Arc;

use svc_storage::{Commit, Condition, Key, Op, StorageError, Table};
use tokio::sync::Barrier;
use tokio::task::JoinSet;

use super::{add, commit, commit_once, put, row};

const RACERS: usize = 8;
const ROUNDS: usize = 12;

pub(super) async fn one_creator_wins(handles: &[Arc<dyn Table>]) {
    for round in 0..ROUNDS {
        let key = Key::new("race to create", format!("{round}"));
        let results = race(handles, |n| vec![put(&key, Condition::Absent, &n.to_string())]).await;
        let winner = only_winner(&results);
        assert_eq!(*row(&*handles[0], &key).await.doc, *winner.to_string());
    }
}

pub(super) async fn one_successor_of_a_version_wins(handles: &[Arc<dyn Table>]) {
    let key = Key::new("race to replace", "row");
    commit(&*handles[0], vec![put(&key, Condition::Absent, "\"first\"")]).await.unwrap();
    for round in 1..=ROUNDS as u64 {
        let results = race(handles, |n| vec![put(&key, Condition::Version(round), &n.to_string())]).await;
        let winner = only_winner(&results);
        let found = row(&*handles[0], &key).await;
        assert_eq!((found.version, &*found.doc), (round + 1, &*winner.to_string()));
    }
}

/// Commits over the same two rows, named in both orders.
pub(super) async fn one_of_crossing_commits_wins_whole(handles: &[Arc<dyn Table>]) {
    for round in 0..ROUNDS {
        let keys = ["a", "b"].map(|sk| Key::new(format!("race across {round}"), sk));
        let results = race(handles, |n| {
            let mut ops = keys.each_ref().map(|key| put(key, Condition::Absent, &n.to_string())).to_vec();
            if n % 2 == 1 {
                ops.reverse();
            }
            ops
        })
        .await;
        let winner = only_winner(&results);
        for key in &keys {
            assert_eq!(*row(&*handles[0], key).await.doc, *winner.to_string());
        }
    }
}

pub(super) async fn no_increment_is_lost(handles: &[Arc<dyn Table>]) {
    let key = Key::new("race to count", "row");
    let mut tasks = JoinSet::new();
    for n in 0..RACERS {
        let (table, key) = (handles[n % handles.len()].clone(), key.clone());
        tasks.spawn(async move {
            let mut seen = Vec::new();
            for _ in 0..10 {
                seen.push(table.increment(&key, "n", 1, None).await.unwrap());
                retried(&*table, vec![add(&key, Condition::None, "m", 2)]).await;
            }
            seen
        });
    }
    let mut seen = tasks.join_all().await.concat();
    seen.sort_unstable();
    let total = (RACERS * 10) as i64;
    assert_eq!(seen, (1..=total).collect::<Vec<_>>(), "each increment has a value of its own");
    let found = row(&*handles[0], &key).await;
    assert_eq!((found.counter("n"), found.counter("m")), (total, 2 * total));
}

pub(super) async fn a_commit_is_visible_to_every_handle_when_it_returns(handles: &[Arc<dyn Table>]) {
    let key = Key::new("race to see", "row");
    for round in 0..50 {
        let writer = &handles[round % handles.len()];
        let reader = &handles[(round + 1) % handles.len()];
        commit(&**writer, vec![put(&key, Condition::None, &round.to_string())]).await.unwrap();
        assert_eq!(*row(&**reader, &key).await.doc, *round.to_string());
    }
}

pub(super) async fn a_token_counts_across_handles(handles: &[Arc<dyn Table>]) {
    let key = |sk: &str| Key::new("race to repeat", sk);
    let ops = [add(&key("a"), Condition::None, "n", 1), add(&key("b"), Condition::None, "n", 1)];
    for table in handles {
        commit_once(&**table, &ops, "race-to-repeat").await.unwrap();
    }
    assert_eq!(row(&*handles[0], &key("a")).await.counter("n"), 1);
}

/// Starts every racer's commit at the same moment.
async fn race(
    handles: &[Arc<dyn Table>],
    ops: impl Fn(usize) -> Vec<Op>,
) -> Vec<(usize, Result<(), StorageError>)> {
    let barrier = Arc::new(Barrier::new(RACERS));
    let mut tasks = JoinSet::new();
    for n in 0..RACERS {
        let (table, barrier) = (handles[n % handles.len()].clone(), barrier.clone());
        let commit = Commit { ops: ops(n), token: None };
        tasks.spawn(async move {
            barrier.wait().await;
            (n, table.commit(&commit).await)
        });
    }
    tasks.join_all().await
}

/// The one that was not refused. Refusals name the conflict, or say that trying again may help.
fn only_winner(results: &[(usize, Result<(), StorageError>)]) -> usize {
    for (_, result) in results {
        match result {
            Ok(()) | Err(StorageError::Contention) => {}
            Err(StorageError::Conflict { current, .. }) => assert!(current.is_some()),
            Err(other) => panic!("{other}"),
        }
    }
    let winners: Vec<usize> = results.iter().filter(|(_, r)| r.is_ok()).map(|(n, _)| *n).collect();
    assert_eq!(winners.len(), 1, "one wins, not {winners:?}");
    winners[0]
}

/// A commit that is tried again while others hold its rows.
async fn retried(table: &dyn Table, ops: Vec<Op>) {
    let commit = Commit { ops, token: None };
    for _ in 0..100 {
        match table.commit(&commit).await {
            Err(StorageError::Contention) => tokio::task::yield_now().await,
            result => return result.unwrap(),
        }
    }
    panic!("the rows stay held");
}
