//! Random operations against a model of the port in memory. What the model does is the port's meaning, said
//! once more in the simplest way.

use std::cell::Cell;
use std::collections::BTreeMap;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use svc_storage::{Commit, Condition, Key, Op, OpKind, Order, Query, Range, Row, StorageError, Table};
use tokio::runtime::Handle;

const PARTITIONS: usize = 2;
const NAMES: [&str; 5] = ["a", "a#1", "a#2", "b", "c"];

/// Runs `cases` random sequences. To be called from a thread outside the runtime.
pub fn matches_the_model(runtime: &Handle, table: &dyn Table, cases: u32) {
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let case = Cell::new(0);
    let result = runner.run(&vec(step(), 1..40), |steps| {
        case.set(case.get() + 1);
        // Each case, and each smaller one that a failure is reduced to, has partitions of its own.
        let mut model = Model { prefix: format!("model {}", case.get()), rows: BTreeMap::new() };
        for (index, step) in steps.iter().enumerate() {
            let repeat = format!("{} step {index}", model.prefix);
            runtime.block_on(model.follow(table, step, repeat))?;
        }
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
}

/// A row by numbers of its partition and name.
type Place = (usize, usize);

#[derive(Clone, Debug)]
enum Step {
    Commit { ops: Vec<(Place, Condition, Change)>, repeated: bool },
    Increment { place: Place, amount: i64, ttl: Option<i64> },
    GetMany(Vec<Place>),
    Query { partition: usize, range: Range, descending: bool, limit: usize },
}

#[derive(Clone, Debug)]
enum Change {
    Check,
    Put(u8, Option<i64>),
    Delete,
    Add(bool, i64),
}

fn place() -> impl Strategy<Value = Place> {
    (0..PARTITIONS, 0..NAMES.len())
}

fn condition() -> impl Strategy<Value = Condition> {
    prop_oneof![
        Just(Condition::Absent),
        Just(Condition::Present),
        (1..4_u64).prop_map(Condition::Version),
        Just(Condition::None),
        Just(Condition::None),
    ]
}

fn ttl() -> impl Strategy<Value = Option<i64>> {
    prop_oneof![Just(None), (4_000_000_000..4_000_000_100_i64).prop_map(Some)]
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        1 => Just(Change::Check),
        4 => (any::<u8>(), ttl()).prop_map(|(doc, ttl)| Change::Put(doc, ttl)),
        2 => Just(Change::Delete),
        2 => (any::<bool>(), -9..9_i64).prop_map(|(field, amount)| Change::Add(field, amount)),
    ]
}

fn range() -> impl Strategy<Value = Range> {
    let name = || prop::sample::select(NAMES.to_vec()).prop_map(str::to_owned);
    prop_oneof![
        Just(Range::All),
        name().prop_map(Range::Prefix),
        name().prop_map(Range::After),
        (name(), name()).prop_map(|(a, b)| Range::Between(a.clone().min(b.clone()), a.max(b))),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let ops = btree_map(place(), (condition(), change()), 1..5).prop_map(|ops| {
        ops.into_iter().map(|(place, (condition, change))| (place, condition, change)).collect()
    });
    prop_oneof![
        6 => (ops, any::<bool>()).prop_map(|(ops, repeated)| Step::Commit { ops, repeated }),
        1 => (place(), -9..9_i64, ttl())
            .prop_map(|(place, amount, ttl)| Step::Increment { place, amount, ttl }),
        1 => vec(place(), 0..8).prop_map(Step::GetMany),
        2 => (0..PARTITIONS, range(), any::<bool>(), 1..4_usize).prop_map(
            |(partition, range, descending, limit)| Step::Query { partition, range, descending, limit }
        ),
    ]
}

struct Model {
    prefix: String,
    rows: BTreeMap<Key, Row>,
}

impl Model {
    /// Takes a step on both, and compares.
    async fn follow(&mut self, table: &dyn Table, step: &Step, repeat: String) -> Result<(), TestCaseError> {
        match step {
            Step::Commit { ops, repeated } => {
                let ops: Vec<Op> = ops.iter().map(|op| self.op(op)).collect();
                let commit = Commit { ops, token: repeated.then_some(repeat) };
                let expected = self.commit(&commit.ops);
                for _ in 0..=usize::from(*repeated) {
                    prop_assert_eq!(&outcome(table.commit(&commit).await), &expected);
                }
                for op in &commit.ops {
                    prop_assert_eq!(table.get(&op.key).await.ok(), Some(self.rows.get(&op.key).cloned()));
                }
            }
            Step::Increment { place, amount, ttl } => {
                let key = self.key(*place);
                let row = self.add(&key, "n", *amount);
                row.ttl = ttl.or(row.ttl);
                let expected = row.counter("n");
                prop_assert_eq!(table.increment(&key, "n", *amount, *ttl).await.ok(), Some(expected));
            }
            Step::GetMany(places) => {
                let keys: Vec<Key> = places.iter().map(|place| self.key(*place)).collect();
                let expected = keys.iter().map(|key| self.rows.get(key).cloned()).collect();
                prop_assert_eq!(table.get_many(&keys).await.ok(), Some(expected));
            }
            Step::Query { partition, range, descending, limit } => {
                let mut query = Query::new(self.partition(*partition), range.clone(), *limit);
                query.order = if *descending { Order::Descending } else { Order::Ascending };
                prop_assert_eq!(table.query_all(query.clone()).await.ok(), Some(self.query(&query)));
            }
        }
        Ok(())
    }

    fn partition(&self, number: usize) -> String {
        format!("{} {number}", self.prefix)
    }

    fn key(&self, (partition, name): Place) -> Key {
        Key::new(self.partition(partition), NAMES[name])
    }

    fn op(&self, (place, condition, change): &(Place, Condition, Change)) -> Op {
        let kind = match change {
            Change::Check => OpKind::Check,
            Change::Put(doc, ttl) => {
                let step = if doc % 4 == 0 { 5 } else { 1 };
                OpKind::Put { step, doc: doc.to_string(), ttl: *ttl }
            }
            Change::Delete => OpKind::Delete,
            Change::Add(other, amount) => {
                OpKind::Add { field: if *other { "m" } else { "n" }.to_owned(), amount: *amount }
            }
        };
        Op { key: self.key(*place), condition: *condition, kind }
    }

    fn commit(&mut self, ops: &[Op]) -> Outcome {
        for (index, op) in ops.iter().enumerate() {
            let row = self.rows.get(&op.key);
            let holds = match op.condition {
                Condition::Absent => row.is_none(),
                Condition::Present => row.is_some(),
                Condition::Version(version) => row.is_some_and(|row| row.version == version),
                Condition::None => true,
            };
            if !holds {
                return Outcome::Refused(index, row.cloned());
            }
        }
        for op in ops {
            match &op.kind {
                OpKind::Check => {}
                OpKind::Delete => drop(self.rows.remove(&op.key)),
                OpKind::Put { step, doc, ttl } => {
                    let row = self.changed(&op.key);
                    row.version += step - 1;
                    (row.doc, row.ttl) = (doc.as_str().into(), *ttl);
                }
                OpKind::Add { field, amount } => drop(self.add(&op.key, field, *amount)),
            }
        }
        Outcome::Done
    }

    fn changed(&mut self, key: &Key) -> &mut Row {
        let row = self.rows.entry(key.clone()).or_insert_with(|| Row {
            key: key.clone(),
            version: 0,
            doc: "null".into(),
            counters: BTreeMap::new(),
            ttl: None,
        });
        row.version += 1;
        row
    }

    fn add(&mut self, key: &Key, field: &str, amount: i64) -> &mut Row {
        let row = self.changed(key);
        *row.counters.entry(field.to_owned()).or_default() += amount;
        row
    }

    fn query(&self, query: &Query) -> Vec<Row> {
        let within = |sk: &String| match &query.range {
            Range::All => true,
            Range::Prefix(prefix) => sk.starts_with(prefix),
            Range::Between(first, last) => first <= sk && sk <= last,
            Range::After(last) => sk > last,
        };
        let rows = self.rows.values().filter(|row| row.key.pk == query.pk && within(&row.key.sk)).cloned();
        match query.order {
            Order::Ascending => rows.collect(),
            Order::Descending => rows.rev().collect(),
        }
    }
}

/// What became of a commit.
#[derive(Debug, PartialEq)]
enum Outcome {
    Done,
    Refused(usize, Option<Row>),
    Failed(String),
}

fn outcome(result: Result<(), StorageError>) -> Outcome {
    match result {
        Ok(()) => Outcome::Done,
        Err(StorageError::Conflict { op, current }) => Outcome::Refused(op, current.map(|row| *row)),
        Err(other) => Outcome::Failed(format!("{other:?}")),
    }
}
