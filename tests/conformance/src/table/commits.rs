//! What a commit does to rows, and what it leaves alone.

use svc_storage::{Condition, Key, Op, OpKind, Table};

use super::{add, commit, commit_once, conflict, put, row};

pub(super) async fn a_refusal_names_the_first_operation_and_its_row(table: &dyn Table) {
    let key = |sk: &str| Key::new("refusal", sk);
    commit(table, vec![put(&key("held"), Condition::Absent, "{\"holder\":\"ada\"}")]).await.unwrap();
    let held = row(table, &key("held")).await;

    let result = commit(
        table,
        vec![
            put(&key("fresh"), Condition::Absent, "1"),
            Op::check(key("fine"), Condition::None),
            put(&key("held"), Condition::Absent, "2"),
            put(&key("missing"), Condition::Present, "3"),
        ],
    )
    .await;
    assert_eq!(conflict(result), (2, Some(held)));
    assert_eq!(table.get(&key("fresh")).await.unwrap(), None);

    let result = commit(
        table,
        vec![
            Op::delete(key("missing"), Condition::Version(4)),
            put(&key("held"), Condition::Version(9), "2"),
        ],
    )
    .await;
    assert_eq!(conflict(result), (0, None));
}

pub(super) async fn all_or_nothing(table: &dyn Table) {
    let key = |n: usize| Key::new("all", format!("{n:02}"));
    let puts = || (0..50).map(|n| put(&key(n), Condition::Absent, "1"));
    commit(table, puts().collect()).await.unwrap();
    let before = table.query_all(svc_storage::Query::new("all", svc_storage::Range::All, 100)).await.unwrap();
    assert_eq!(before.len(), 50);

    let mut ops: Vec<Op> = (0..49).map(|n| Op::delete(key(n), Condition::Present)).collect();
    ops.push(put(&key(49), Condition::Version(2), "2"));
    assert_eq!(conflict(commit(table, ops).await).0, 49);
    let after = table.query_all(svc_storage::Query::new("all", svc_storage::Range::All, 100)).await.unwrap();
    assert_eq!(after, before);
}

pub(super) async fn a_put_leaves_counters_and_sets_the_ttl(table: &dyn Table) {
    let key = Key::new("puts", "row");
    let expiring = |doc: &str, ttl| Op {
        key: key.clone(),
        condition: Condition::None,
        kind: OpKind::Put { step: 1, doc: doc.into(), ttl },
    };
    commit(table, vec![add(&key, Condition::Absent, "seen", 3)]).await.unwrap();
    commit(table, vec![expiring("{\"a\":1}", Some(4_000_000_000))]).await.unwrap();
    let found = row(table, &key).await;
    assert_eq!((found.version, found.counter("seen"), found.ttl), (2, 3, Some(4_000_000_000)));
    assert_eq!(&*found.doc, "{\"a\":1}");

    // A put says all there is to say about the time.
    commit(table, vec![expiring("{\"a\":2}", None)]).await.unwrap();
    let found = row(table, &key).await;
    assert_eq!((found.version, found.counter("seen"), found.ttl), (3, 3, None));
}

pub(super) async fn a_counter_counts_beside_the_document(table: &dyn Table) {
    let key = Key::new("counters", "row");
    assert_eq!(table.increment(&key, "a", 2, None).await.unwrap(), 2);
    assert_eq!(table.increment(&key, "a", -5, None).await.unwrap(), -3);
    assert_eq!(table.increment(&key, "b_2", 0, None).await.unwrap(), 0);
    let found = row(table, &key).await;
    assert_eq!((found.version, &*found.doc, found.ttl), (3, "null", None));
    assert_eq!((found.counter("a"), found.counter("b_2"), found.counter("c")), (-3, 0, 0));

    commit(table, vec![put(&key, Condition::Version(3), "\"document\"")]).await.unwrap();
    commit(table, vec![add(&key, Condition::Version(4), "a", 10)]).await.unwrap();
    let found = row(table, &key).await;
    assert_eq!((found.version, &*found.doc, found.counter("a")), (5, "\"document\"", 7));
}

pub(super) async fn an_increment_may_set_the_ttl(table: &dyn Table) {
    let key = Key::new("counters", "expiring");
    table.increment(&key, "n", 1, Some(4_000_000_000)).await.unwrap();
    assert_eq!(row(table, &key).await.ttl, Some(4_000_000_000));
    table.increment(&key, "n", 1, None).await.unwrap();
    let found = row(table, &key).await;
    assert_eq!((found.ttl, found.counter("n"), found.version), (Some(4_000_000_000), 2, 2));
}

pub(super) async fn a_row_made_again_begins_at_version_1(table: &dyn Table) {
    let key = Key::new("again", "row");
    commit(table, vec![put(&key, Condition::Absent, "1")]).await.unwrap();
    commit(table, vec![add(&key, Condition::Present, "n", 1)]).await.unwrap();
    commit(table, vec![Op::delete(key.clone(), Condition::Version(2))]).await.unwrap();
    commit(table, vec![put(&key, Condition::Absent, "2")]).await.unwrap();
    let found = row(table, &key).await;
    assert_eq!((found.version, found.counter("n"), &*found.doc), (1, 0, "2"));
}

pub(super) async fn a_row_that_moves_goes_on_at_its_version(table: &dyn Table) {
    let (from, to) = (Key::new("goes-on", "here"), Key::new("goes-on", "there"));
    let at_7 = Op::create_at(to.clone(), 7, &"moved");
    commit(table, vec![put(&from, Condition::Absent, "1")]).await.unwrap();
    let moves = vec![Op::delete(from.clone(), Condition::Version(1)), at_7.clone()];
    commit(table, moves).await.unwrap();
    assert_eq!(row(table, &to).await.version, 7);
    assert_eq!(conflict(commit(table, vec![at_7]).await).0, 0);
    assert_eq!(conflict(commit(table, vec![put(&to, Condition::Version(1), "2")]).await).0, 0);
    commit(table, vec![put(&to, Condition::Version(7), "2")]).await.unwrap();
    assert_eq!(row(table, &to).await.version, 8);
    // Alone in its commit and beside others it means the same, as it does under a token.
    let (alone, beside) = (Key::new("goes-on", "alone"), Key::new("goes-on", "beside"));
    commit_once(table, &[Op::create_at(alone.clone(), 3, &1)], "goes-on").await.unwrap();
    commit(table, vec![Op::create_at(beside.clone(), 3, &1), Op::delete(to, Condition::Present)])
        .await
        .unwrap();
    assert_eq!((row(table, &alone).await.version, row(table, &beside).await.version), (3, 3));
}

pub(super) async fn an_empty_commit_does_nothing(table: &dyn Table) {
    commit(table, Vec::new()).await.unwrap();
}
