//! Every condition on every state of a row, for every kind of operation: what holds, what is done, and what a
//! refusal reports.

use svc_storage::{Condition, Key, Op, OpKind, Row, Table};

use super::{add, commit, conflict, put};

const CONDITIONS: [Condition; 5] =
    [Condition::Absent, Condition::Present, Condition::Version(1), Condition::Version(2), Condition::None];

const KINDS: [&str; 4] = ["check", "put", "delete", "add"];

pub(super) async fn every_condition_on_every_state_for_every_kind(table: &dyn Table) {
    for versions in 0..=2 {
        for condition in CONDITIONS {
            for kind in KINDS {
                one(table, versions, condition, kind, false).await;
                one(table, versions, condition, kind, true).await;
            }
        }
    }
}

/// One operation on a row that was written `versions` times, by itself or as the second of a commit.
async fn one(table: &dyn Table, versions: u64, condition: Condition, kind: &str, in_company: bool) {
    let name = format!("{versions} {condition:?} {kind} {in_company}");
    let key = Key::new("conditions", &name);
    for version in 1..=versions {
        commit(table, vec![put(&key, Condition::None, &version.to_string())]).await.unwrap();
    }
    let before = table.get(&key).await.unwrap();
    assert_eq!(before.as_ref().map_or(0, |row| row.version), versions, "{name}");

    let op = match kind {
        "check" => Op::check(key.clone(), condition),
        "put" => put(&key, condition, "\"new\""),
        "delete" => Op::delete(key.clone(), condition),
        _ => add(&key, condition, "n", 5),
    };
    let company = Key::new("conditions", format!("{name} company"));
    let mut ops = vec![op.clone()];
    if in_company {
        ops.insert(0, put(&company, Condition::Absent, "1"));
    }

    let result = commit(table, ops).await;
    let after = table.get(&key).await.unwrap();
    if holds(condition, versions) {
        assert!(result.is_ok(), "{name}: {result:?}");
        assert_eq!(after, expected(&op, before), "{name}");
    } else {
        let (index, current) = conflict(result);
        assert_eq!(index, usize::from(in_company), "{name}");
        assert_eq!(current, before, "{name}");
        assert_eq!(after, before, "{name}");
    }
    let company = table.get(&company).await.unwrap();
    assert_eq!(company.is_some(), in_company && holds(condition, versions), "{name}");
}

fn holds(condition: Condition, version: u64) -> bool {
    match condition {
        Condition::Absent => version == 0,
        Condition::Present => version > 0,
        Condition::Version(wanted) => version == wanted,
        Condition::None => true,
    }
}

/// The row after the operation.
fn expected(op: &Op, before: Option<Row>) -> Option<Row> {
    let empty = || Row {
        key: op.key.clone(),
        version: 0,
        doc: "null".into(),
        counters: Default::default(),
        ttl: None,
    };
    match &op.kind {
        OpKind::Check => before,
        OpKind::Delete => None,
        OpKind::Put { step, doc, ttl } => {
            let row = before.unwrap_or_else(empty);
            Some(Row { version: row.version + step, doc: doc.as_str().into(), ttl: *ttl, ..row })
        }
        OpKind::Add { field, amount } => {
            let mut row = before.unwrap_or_else(empty);
            row.version += 1;
            *row.counters.entry(field.clone()).or_default() += amount;
            Some(row)
        }
    }
}
