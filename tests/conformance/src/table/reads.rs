//! Point reads and queries.

use svc_storage::{Condition, Key, Limits, Query, Range, StorageError, Table};

use super::{commit, put, too_large};

pub(super) async fn get_many_keeps_the_order_and_shows_what_is_missing(table: &dyn Table) {
    let key = |n: usize| Key::new(format!("many {}", n % 3), format!("{n}"));
    let even = (0..Limits::KEYS).step_by(2).map(|n| put(&key(n), Condition::Absent, &n.to_string()));
    commit(table, even.collect()).await.unwrap();

    let keys: Vec<Key> = (0..Limits::KEYS).rev().map(key).collect();
    let rows = table.get_many(&keys).await.unwrap();
    assert_eq!(rows.len(), keys.len());
    for (n, row) in (0..Limits::KEYS).rev().zip(rows) {
        let found = row.map(|row| (row.key, row.doc.to_string()));
        assert_eq!(found, (n % 2 == 0).then(|| (key(n), n.to_string())), "{n}");
    }

    assert_eq!(table.get_many(&[]).await.unwrap(), []);
    let twice = table.get_many(&[key(0), key(1), key(0)]).await.unwrap();
    assert_eq!(twice[0], twice[2]);
    assert!(twice[0].is_some() && twice[1].is_none());
    let over: Vec<Key> = (0..=Limits::KEYS).map(key).collect();
    assert_eq!(too_large(table.get_many(&over).await), "keys");
}

/// More than an engine gives in one answer.
pub(super) async fn get_many_reads_large_rows(table: &dyn Table) {
    let key = |n: usize| Key::new("large", format!("{n:02}"));
    let doc = format!("\"{}\"", "x".repeat(390_000));
    for n in 0..48 {
        commit(table, vec![put(&key(n), Condition::Absent, &doc)]).await.unwrap();
    }
    let keys: Vec<Key> = (0..48).map(key).collect();
    let rows = table.get_many(&keys).await.unwrap();
    for (key, row) in keys.iter().zip(rows) {
        let row = row.unwrap_or_else(|| panic!("{key:?} was left out"));
        assert!(row.key == *key && *row.doc == *doc);
    }
}

pub(super) async fn ranges_in_both_orders(table: &dyn Table) {
    let pk = "ranges";
    let names = ["a", "a#1", "a#2", "a$", "b", "b#1", "c"];
    commit(table, names.iter().map(|sk| put(&Key::new(pk, *sk), Condition::Absent, "1")).collect())
        .await
        .unwrap();
    commit(table, vec![put(&Key::new("ranges of another", "a#1"), Condition::Absent, "1")]).await.unwrap();

    let cases: [(Range, &[&str]); 8] = [
        (Range::All, &names),
        (Range::Prefix("a#".into()), &["a#1", "a#2"]),
        (Range::Prefix("a".into()), &["a", "a#1", "a#2", "a$"]),
        (Range::Prefix("z".into()), &[]),
        (Range::Between("a#2".into(), "b#1".into()), &["a#2", "a$", "b", "b#1"]),
        (Range::Between("a#3".into(), "a#9".into()), &[]),
        (Range::After("b".into()), &["b#1", "c"]),
        (Range::After("c".into()), &[]),
    ];
    for (range, expected) in cases {
        let query = Query::new(pk, range.clone(), 100);
        assert_eq!(names_of(table, query.clone()).await, expected, "{range:?}");
        let backwards: Vec<&str> = expected.iter().rev().copied().collect();
        assert_eq!(names_of(table, query.descending()).await, backwards, "{range:?} descending");
    }
}

pub(super) async fn sort_keys_are_ordered_by_their_bytes(table: &dyn Table) {
    let ordered = ["!", "0", "A", "a", "a ", "aa", "b", "z", "~", "é", "\u{D7FF}", "\u{E000}", "🦀"];
    for sk in ordered.iter().rev() {
        commit(table, vec![put(&Key::new("bytes", *sk), Condition::Absent, "1")]).await.unwrap();
    }
    assert_eq!(names_of(table, Query::new("bytes", Range::All, 100)).await, ordered);
    let prefix = Range::Prefix("\u{D7FF}".into());
    assert_eq!(names_of(table, Query::new("bytes", prefix, 100)).await, ["\u{D7FF}"]);
}

pub(super) async fn documents_come_back_as_they_were_written(table: &dyn Table) {
    // Not parsed and written again: spaces, order and escapes stay.
    for doc in ["{ \"b\": 1,\t\"a\" : [ ] }", "\"\\u00e9 é 🦀 \\u0000\"", "12345678901234567890.5", "null"]
    {
        let key = Key::new("documents", "row");
        commit(table, vec![put(&key, Condition::None, doc)]).await.unwrap();
        assert_eq!(&*super::row(table, &key).await.doc, doc);
    }
    let result: Result<u32, StorageError> = super::row(table, &Key::new("documents", "row")).await.read();
    assert!(matches!(result, Err(StorageError::Corrupt(_))));
}

async fn names_of(table: &dyn Table, query: Query) -> Vec<String> {
    table.query_all(query).await.unwrap().into_iter().map(|row| row.key.sk).collect()
}
