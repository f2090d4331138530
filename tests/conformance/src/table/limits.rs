//! The limits of the port.

use svc_storage::{Condition, Key, Limits, Op, Query, Range, Table};

use super::{commit, put, row, too_large};

pub(super) async fn each_limit_is_refused(table: &dyn Table) {
    let key = |n: usize| Key::new("limits", format!("{n:03}"));
    let checks = (0..=Limits::OPS).map(|n| Op::check(key(n), Condition::None)).collect();
    assert_eq!(too_large(commit(table, checks).await), "operations");

    let doc = text(Limits::ROW_BYTES - Limits::ROW_OVERHEAD);
    assert_eq!(too_large(commit(table, vec![put(&key(0), Condition::None, &doc)]).await), "row");

    let doc = text(Limits::ROW_BYTES / 2);
    let puts = (0..22).map(|n| put(&key(n), Condition::None, &doc)).collect();
    assert_eq!(too_large(commit(table, puts).await), "commit");

    let long = Key::new("limits", "s".repeat(Limits::SK_BYTES + 1));
    assert_eq!(too_large(commit(table, vec![put(&long, Condition::None, "1")]).await), "key");
    assert_eq!(too_large(table.increment(&long, "n", 1, None).await), "key");
    let long = Key::new("p".repeat(Limits::PK_BYTES + 1), "s");
    assert_eq!(too_large(commit(table, vec![put(&long, Condition::None, "1")]).await), "key");

    assert_eq!(table.query_all(Query::new("limits", Range::All, 10)).await.unwrap(), []);
}

pub(super) async fn the_largest_commit_is_accepted(table: &dyn Table) {
    let pk = "p".repeat(Limits::PK_BYTES);
    let key = |n: usize| Key::new(&pk, format!("{n:04}{}", "s".repeat(Limits::SK_BYTES - 4)));
    let names = Limits::PK_BYTES + Limits::SK_BYTES;
    let each = Limits::COMMIT_BYTES / Limits::OPS - Limits::ROW_OVERHEAD - names;
    let doc = text(each);
    let puts = (0..Limits::OPS).map(|n| put(&key(n), Condition::Absent, &doc)).collect();
    commit(table, puts).await.unwrap();
    for n in [0, Limits::OPS - 1] {
        assert_eq!(&*row(table, &key(n)).await.doc, doc);
    }

    let doc = text(Limits::ROW_BYTES - Limits::ROW_OVERHEAD - names);
    commit(table, vec![put(&key(0), Condition::Version(1), &doc)]).await.unwrap();
    let found = row(table, &key(0)).await;
    assert!(*found.doc == doc && found.version == 2);
}

/// A JSON text of this many bytes.
fn text(bytes: usize) -> String {
    format!("\"{}\"", "x".repeat(bytes - 2))
}
