//! The report of a check.

use std::collections::BTreeMap;

use serde::Serialize;

/// Findings of each sort that a report names; further ones are only counted, so that memory stays bounded.
const NAMED: usize = 1_000;

/// A row, or a blob, that contradicts another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Its name: partition and sort key, or the name of the blob.
    pub row: String,
    /// What kind of row it is, as the table of all rows writes it.
    pub kind: String,
    /// What is wrong.
    pub problem: String,
}

impl Finding {
    /// Whether it is a message that workers gave up: it waits for `svc-server replay`, and for no worker.
    pub fn is_given_up(&self) -> bool {
        self.row.split(' ').next() == Some(svc_storage::keys::DEAD_LETTERS_PK)
    }
}

/// What came of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Rows that were looked at.
    pub rows: u64,
    /// How many there are of each kind.
    pub kinds: BTreeMap<String, u64>,
    /// Blobs that were looked at.
    pub blobs: u64,
    /// Contradictions, a thousand at most.
    pub findings: Vec<Finding>,
    /// Contradictions beyond those.
    pub more_findings: u64,
    /// What waits for a worker, a thousand at most.
    pub waiting: Vec<Finding>,
    /// What waits beyond those.
    pub more_waiting: u64,
    /// Rows that changed faster than they could be checked.
    pub restless: u64,
}

impl Report {
    /// Whether nothing contradicts anything. What waits for a worker is no contradiction.
    pub const fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }

    pub(super) fn find(&mut self, finding: Finding) {
        keep(&mut self.findings, &mut self.more_findings, finding);
    }

    pub(super) fn wait(&mut self, finding: Finding) {
        keep(&mut self.waiting, &mut self.more_waiting, finding);
    }
}

fn keep(named: &mut Vec<Finding>, more: &mut u64, finding: Finding) {
    if named.len() < NAMED { named.push(finding) } else { *more += 1 }
}

#[cfg(test)]
mod tests {
    use super::{Finding, NAMED, Report};

    #[test]
    fn a_report_names_a_thousand_and_counts_the_rest() {
        let mut report = Report::default();
        let finding = Finding { row: "r".into(), kind: "k".into(), problem: "p".into() };
        for _ in 0..NAMED + 3 {
            report.find(finding.clone());
        }
        assert_eq!((report.findings.len(), report.more_findings), (NAMED, 3));
        assert!(!report.is_clean() && report.waiting.is_empty());
    }
}
