//! How checks see the store: the rows that were read, and a list of rows that they asked for but that are not loaded.

use std::cell::RefCell;
use std::collections::HashMap;
use std::str::FromStr;

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use svc_domain::ids::{OrgId, RunId};
use svc_storage::{BlobKey, Key, Row};

use crate::factory::StoredLog;

/// The parts of a row's name that its kind leaves open.
pub(super) type Parts<'a> = Vec<(&'static str, &'a str)>;

/// A check cannot go on: it asked for what was not read yet, or for a row that cannot be read at all, which
/// that row's own check tells.
#[derive(Debug)]
pub(super) struct Stop;

/// What a check answers; what it found is in its [`CheckContext`].
pub(super) type Verdict = Result<(), Stop>;

/// Judges a row.
pub(super) type Check = fn(&Subject<'_>, &CheckContext<'_>) -> Verdict;

/// Something of the store that a check asks for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Want {
    /// A row.
    Row(Key),
    /// The rows of a partition (`pk`) whose sort keys begin with a text (`sk`).
    Rows(Key),
    /// The size of a blob.
    Blob(BlobKey),
    /// The batches of a run's log.
    Log(OrgId, RunId),
}

/// What was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Known {
    /// By name; `None` where there is none.
    pub(super) row: HashMap<Key, Option<Row>>,
    /// By partition and beginning.
    pub(super) rows: HashMap<Key, Vec<Row>>,
    /// Sizes; `None` where there is none.
    pub(super) blob: HashMap<BlobKey, Option<u64>>,
    /// By run.
    pub(super) log: HashMap<(OrgId, RunId), StoredLog>,
}

impl Known {
    /// Everything that was asked for.
    pub(super) fn wants(&self) -> Vec<Want> {
        let row = self.row.keys().cloned().map(Want::Row);
        let rows = self.rows.keys().cloned().map(Want::Rows);
        let log = self.log.keys().map(|(org, run)| Want::Log(*org, *run));
        row.chain(rows).chain(self.blob.keys().cloned().map(Want::Blob)).chain(log).collect()
    }
}

/// A row to check.
pub(super) struct Subject<'a> {
    /// The row.
    pub(super) row: &'a Row,
    /// What its name is made of.
    pub(super) parts: Parts<'a>,
}

impl Subject<'_> {
    /// The document.
    pub(super) fn read<T: DeserializeOwned>(&self, context: &CheckContext<'_>) -> Result<T, Stop> {
        self.row.read().map_err(|error| context.stop(format!("it cannot be read: {error}")))
    }

    /// A part of the name, which the table of all rows calls so.
    pub(super) fn part<T: FromStr>(&self, name: &str, context: &CheckContext<'_>) -> Result<T, Stop> {
        let text = self.parts.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
        let parsed = text.and_then(|text| text.parse().ok());
        parsed.ok_or_else(|| context.stop(format!("its key has no valid <{name}>")))
    }

    /// That the row is named by what it says.
    pub(super) fn is_named(&self, context: &CheckContext<'_>, name: &Key) {
        if self.row.key != *name {
            context.broken(format!("its content belongs to {} {}", name.pk, name.sk));
        }
    }
}

/// What one check sees, and what it tells.
pub(super) struct CheckContext<'a> {
    known: &'a Known,
    now: Timestamp,
    wanted: RefCell<Vec<Want>>,
    told: RefCell<Told>,
}

/// What a check tells of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Told {
    /// Contradictions.
    pub(super) broken: Vec<String>,
    /// What waits for a worker.
    pub(super) waiting: Vec<String>,
}

impl Told {
    pub(super) const fn is_nothing(&self) -> bool {
        self.broken.is_empty() && self.waiting.is_empty()
    }
}

impl<'a> CheckContext<'a> {
    pub(super) const fn new(known: &'a Known, now: Timestamp) -> Self {
        let told = Told { broken: Vec::new(), waiting: Vec::new() };
        Self { known, now, wanted: RefCell::new(Vec::new()), told: RefCell::new(told) }
    }

    /// What was told, or what is to be read before the check is asked again.
    pub(super) fn end(self) -> Result<Told, Vec<Want>> {
        let wanted = self.wanted.into_inner();
        if wanted.is_empty() { Ok(self.told.into_inner()) } else { Err(wanted) }
    }

    /// The time now.
    pub(super) const fn now(&self) -> Timestamp {
        self.now
    }

    /// Whether a row that may vanish after this moment counts as gone.
    pub(super) fn is_past(&self, end: Timestamp) -> bool {
        end.as_second() <= self.now.as_second()
    }

    /// Tells of a contradiction.
    pub(super) fn broken(&self, what: impl Into<String>) {
        self.told.borrow_mut().broken.push(what.into());
    }

    /// Tells of one after which there is nothing left to check.
    pub(super) fn stop(&self, what: impl Into<String>) -> Stop {
        self.broken(what);
        Stop
    }

    /// Tells of what a worker has yet to do.
    pub(super) fn waiting(&self, what: impl Into<String>) {
        self.told.borrow_mut().waiting.push(what.into());
    }

    /// Whether a contradiction was told.
    pub(super) fn is_suspicious(&self) -> bool {
        !self.told.borrow().broken.is_empty()
    }

    /// Has what was told as contradictions wait for a worker instead.
    pub(super) fn excuse(&self, why: &str) {
        let mut told = self.told.borrow_mut();
        told.broken.clear();
        told.waiting.push(why.to_owned());
    }

    /// A row, unless its time is over.
    pub(super) fn row(&self, key: &Key) -> Result<Option<&'a Row>, Stop> {
        match self.known.row.get(key) {
            Some(row) => Ok(row.as_ref().filter(|row| !is_over(row, self.now))),
            None => self.not_read(Want::Row(key.clone())),
        }
    }

    /// The document of a row.
    pub(super) fn read<T: DeserializeOwned>(&self, key: &Key) -> Result<Option<T>, Stop> {
        self.row(key)?.map(|row| row.read().map_err(|_| Stop)).transpose()
    }

    /// Whether there is a row.
    pub(super) fn has(&self, key: &Key) -> Result<bool, Stop> {
        Ok(self.row(key)?.is_some())
    }

    /// Tells when there is no such row. `what` completes "there is no …".
    pub(super) fn demand(&self, key: &Key, what: &str) -> Result<bool, Stop> {
        let has = self.has(key)?;
        if !has {
            self.broken(format!("there is no {what} ({} {})", key.pk, key.sk));
        }
        Ok(has)
    }

    /// The document of a row that there must be; tells when there is none.
    pub(super) fn need<T: DeserializeOwned>(&self, key: &Key, what: &str) -> Result<Option<T>, Stop> {
        if self.demand(key, what)? { self.read(key) } else { Ok(None) }
    }

    /// The documents of the rows of a partition whose sort keys begin so.
    pub(super) fn all<T: DeserializeOwned>(&self, pk: String, prefix: &str) -> Result<Vec<T>, Stop> {
        self.rows(pk, prefix)?.iter().map(|row| row.read().map_err(|_| Stop)).collect()
    }

    /// The rows of a partition whose sort keys begin so.
    pub(super) fn rows(&self, pk: String, prefix: &str) -> Result<&'a [Row], Stop> {
        let name = Key { pk, sk: prefix.to_owned() };
        match self.known.rows.get(&name) {
            Some(rows) => Ok(rows),
            None => self.not_read(Want::Rows(name)),
        }
    }

    /// The size of a blob.
    pub(super) fn blob(&self, key: &BlobKey) -> Result<Option<u64>, Stop> {
        match self.known.blob.get(key) {
            Some(size) => Ok(*size),
            None => self.not_read(Want::Blob(key.clone())),
        }
    }

    /// The batches of a run's log.
    pub(super) fn log(&self, org: OrgId, run: RunId) -> Result<&'a StoredLog, Stop> {
        match self.known.log.get(&(org, run)) {
            Some(log) => Ok(log),
            None => self.not_read(Want::Log(org, run)),
        }
    }

    fn not_read<T>(&self, want: Want) -> Result<T, Stop> {
        self.wanted.borrow_mut().push(want);
        Err(Stop)
    }
}

/// Whether a row counts as gone.
pub(super) fn is_over(row: &Row, now: Timestamp) -> bool {
    row.ttl.is_some_and(|end| end <= now.as_second())
}
