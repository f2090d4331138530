//! A caller whose reply was lost repeats its commit with the same token.

use svc_storage::{Condition, Key, Op, Table};

use super::{add, commit, commit_once, conflict, put, row};

pub(super) async fn a_repeated_commit_happens_once(table: &dyn Table) {
    let key = |sk: &str| Key::new("tokens", sk);
    let ops = [
        put(&key("made"), Condition::Absent, "1"),
        add(&key("counted"), Condition::None, "n", 1),
        Op::delete(key("removed"), Condition::Present),
    ];
    commit(table, vec![put(&key("removed"), Condition::Absent, "1")]).await.unwrap();
    commit_once(table, &ops, "tokens-1").await.unwrap();
    commit_once(table, &ops, "tokens-1").await.unwrap();
    // Later changes by others are not undone by a late repetition.
    commit(table, vec![put(&key("made"), Condition::Version(1), "2")]).await.unwrap();
    commit_once(table, &ops, "tokens-1").await.unwrap();

    assert_eq!(&*row(table, &key("made")).await.doc, "2");
    assert_eq!(row(table, &key("counted")).await.counter("n"), 1);
    assert_eq!(table.get(&key("removed")).await.unwrap(), None);
}

pub(super) async fn a_repeated_commit_of_one_operation_happens_once(table: &dyn Table) {
    let key = |sk: &str| Key::new("tokens of one", sk);
    let versioned = |sk: &str| put(&key(sk), Condition::Version(1), "2");
    for sk in ["replaced", "put", "removed"] {
        commit(table, vec![put(&key(sk), Condition::Absent, "1")]).await.unwrap();
    }
    let commits = [
        put(&key("made"), Condition::Absent, "1"),
        versioned("replaced"),
        put(&key("put"), Condition::None, "2"),
        add(&key("counted"), Condition::None, "n", 1),
        Op::delete(key("removed"), Condition::Version(1)),
        Op::check(key("absent"), Condition::Absent),
    ];
    for (n, op) in commits.iter().enumerate() {
        let token = format!("tokens-of-one-{n}");
        commit_once(table, std::slice::from_ref(op), &token).await.unwrap();
        commit_once(table, std::slice::from_ref(op), &token).await.unwrap();
    }
    assert_eq!(row(table, &key("made")).await.version, 1);
    assert_eq!(row(table, &key("replaced")).await.version, 2);
    assert_eq!(row(table, &key("put")).await.version, 2);
    assert_eq!(row(table, &key("counted")).await.counter("n"), 1);

    // Another writer came between the lost reply and the repetition.
    for sk in ["made", "replaced", "put"] {
        commit_once(table, &[put(&key(sk), Condition::Present, "\"other\"")], &format!("other-{sk}"))
            .await
            .unwrap();
    }
    for (n, op) in commits.iter().enumerate() {
        commit_once(table, std::slice::from_ref(op), &format!("tokens-of-one-{n}")).await.unwrap();
    }
    for sk in ["made", "replaced", "put"] {
        assert_eq!(&*row(table, &key(sk)).await.doc, "\"other\"", "{sk}");
    }
    assert_eq!(row(table, &key("counted")).await.counter("n"), 1);
}

pub(super) async fn a_refused_commit_may_be_tried_again(table: &dyn Table) {
    let key = |sk: &str| Key::new("tokens refused", sk);
    for ops in [
        vec![put(&key("one"), Condition::Present, "2")],
        vec![put(&key("two"), Condition::Present, "2"), add(&key("n"), Condition::None, "n", 1)],
    ] {
        let token = format!("tokens-refused-{}", ops.len());
        assert_eq!(conflict(commit_once(table, &ops, &token).await), (0, None));
        let first = ops[0].key.clone();
        commit(table, vec![put(&first, Condition::Absent, "1")]).await.unwrap();
        commit_once(table, &ops, &token).await.unwrap();
        assert_eq!(row(table, &first).await.version, 2);
    }
    assert_eq!(row(table, &key("n")).await.counter("n"), 1);
}

pub(super) async fn a_token_with_other_operations_is_another_commit(table: &dyn Table) {
    let key = |sk: &str| Key::new("tokens shared", sk);
    let ops = |doc: &str| [put(&key("a"), Condition::None, doc), put(&key("b"), Condition::None, doc)];
    commit_once(table, &ops("1"), "tokens-shared").await.unwrap();
    commit_once(table, &ops("2"), "tokens-shared").await.unwrap();
    assert_eq!(&*row(table, &key("a")).await.doc, "2");
}
