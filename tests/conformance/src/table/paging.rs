//! Pages and cursors.

use svc_storage::{Condition, Cursor, Key, Op, Query, Range, Row, StorageError, Table};

use super::{commit, put};

pub(super) async fn a_limit_ends_a_page(table: &dyn Table) {
    fill(table, "pages", 25, "1").await;
    for query in both_orders(Query::new("pages", Range::Prefix("n".into()), 10)) {
        let pages = pages(table, query.clone()).await;
        assert!(pages.iter().all(|page| page.len() <= 10));
        assert_eq!(sorted(&query, pages.concat()), (0..25).map(name).collect::<Vec<_>>());
    }
    // A page that is just full may be followed by an empty one, never by a wrong one.
    let pages = pages(table, Query::new("pages", Range::All, 25)).await;
    assert_eq!(pages.concat().len(), 25);
}

pub(super) async fn a_page_ends_at_a_megabyte(table: &dyn Table) {
    let doc = format!("\"{}\"", "x".repeat(100_000));
    fill(table, "megabytes", 25, &doc).await;
    for query in both_orders(Query::new("megabytes", Range::All, 1_000)) {
        let pages = pages(table, query.clone()).await;
        assert!(pages.len() >= 3, "2.5 MB came in {} pages", pages.len());
        assert!(pages.iter().all(|page| page.len() <= 12));
        assert_eq!(sorted(&query, pages.concat()), (0..25).map(name).collect::<Vec<_>>());
    }
}

pub(super) async fn a_cursor_survives_changes_around_it(table: &dyn Table) {
    for query in both_orders(Query::new("cursors", Range::Between(name(2), name(17)), 5)) {
        fill(table, "cursors", 20, "1").await;
        let first = table.query(&query).await.unwrap();
        let last = first.rows.last().unwrap().key.clone();
        // The row that the cursor stands on goes, and one behind it comes.
        let removed = Op::delete(last.clone(), Condition::Present);
        commit(table, vec![removed]).await.unwrap();
        let rest = table.query_all(query.clone().resume(first.cursor)).await.unwrap();
        let seen: Vec<Row> = first.rows.into_iter().chain(rest).collect();
        assert_eq!(sorted(&query, seen), (2..18).map(name).collect::<Vec<_>>());
    }
}

/// Other cases leave rows of their own: only those of this one are looked at.
pub(super) async fn a_scan_shows_every_row_once(table: &dyn Table) {
    for pk in ["scan", "scan#1:", "scan é"] {
        fill(table, pk, 20, "1").await;
    }
    let mut seen = Vec::new();
    let mut after = None;
    loop {
        let page = table.scan(7, after.as_ref()).await.unwrap();
        assert!(page.rows.len() <= 7);
        seen.extend(page.rows.into_iter().map(|row| row.key).filter(|key| key.pk.starts_with("scan")));
        after = page.cursor;
        if after.is_none() {
            break;
        }
    }
    seen.sort();
    let named = |pk: &'static str| (0..20).map(move |n| Key::new(pk, name(n)));
    let mut expected: Vec<Key> = ["scan", "scan é", "scan#1:"].into_iter().flat_map(named).collect();
    expected.sort();
    assert_eq!(seen, expected);
    let foreign = Cursor("no cursor".into());
    assert!(matches!(table.scan(1, Some(&foreign)).await, Err(StorageError::Corrupt(_))));
}

fn name(n: usize) -> String {
    format!("n{n:03}")
}

async fn fill(table: &dyn Table, pk: &str, rows: usize, doc: &str) {
    for n in 0..rows {
        commit(table, vec![put(&Key::new(pk, name(n)), Condition::None, doc)]).await.unwrap();
    }
}

fn both_orders(query: Query) -> [Query; 2] {
    [query.clone(), query.descending()]
}

async fn pages(table: &dyn Table, mut query: Query) -> Vec<Vec<Row>> {
    let mut pages = Vec::new();
    loop {
        let page = table.query(&query).await.unwrap();
        pages.push(page.rows);
        assert!(pages.len() < 100, "the pages do not end");
        match page.cursor {
            Some(cursor) => query.cursor = Some(cursor),
            None => return pages,
        }
    }
}

/// The names of rows that must be in the query's order, smallest first.
fn sorted(query: &Query, rows: Vec<Row>) -> Vec<String> {
    let mut names: Vec<String> = rows.into_iter().map(|row| row.key.sk).collect();
    if query.order == svc_storage::Order::Descending {
        names.reverse();
    }
    assert!(names.is_sorted());
    names
}
