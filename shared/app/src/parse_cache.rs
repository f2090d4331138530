//! Records of rows that every request reads and that rarely change, so that what was parsed before is not parsed
//! again.
//!
//! A row is always read from the table first; only where its document is, byte for byte, the one that was parsed
//! last, the record is the one that came of that. So nothing here can be stale.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::RwLock;
use serde::de::DeserializeOwned;
use svc_domain::identity::{Credential, Member, Org, ProjectMember};
use svc_domain::project::Project;
use svc_domain::refusal::Refusal;
use svc_domain::workflow::Workflow;
use svc_storage::{Key, Row, RowOf};

use crate::error::Result;

/// Rows of one kind that are kept at most. The cache is cleared when it is full.
const MOST: usize = 2_000;

/// What this process has parsed.
#[derive(Default)]
pub struct ParseCache {
    pub(crate) credentials: Memo<Credential>,
    pub(crate) orgs: Memo<Org>,
    pub(crate) members: Memo<Member>,
    pub(crate) projects: Memo<Project>,
    pub(crate) project_members: Memo<ProjectMember>,
    pub(crate) workflows: Memo<Workflow>,
}

impl ParseCache {
    /// The workflow of a project.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] where the project has no such row; as [`Row::read`].
    pub(crate) fn workflow(&self, row: Option<RowOf<Workflow>>) -> Result<Arc<Workflow>> {
        let row = row.ok_or(Refusal::NotFound)?;
        self.workflows.read(&row)
    }
}

/// Records of one kind.
pub(crate) struct Memo<T> {
    kept: RwLock<HashMap<Key, Parsed<T>>>,
}

struct Parsed<T> {
    doc: Arc<str>,
    record: Arc<T>,
}

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Self { kept: RwLock::default() }
    }
}

impl<T: DeserializeOwned> Memo<T> {
    /// The record of a row that was just read.
    ///
    /// # Errors
    /// As [`Row::read`].
    pub(crate) fn read(&self, row: &Row) -> Result<Arc<T>> {
        if let Some(Parsed { doc, record }) = self.kept.read().get(&row.key)
            && (Arc::ptr_eq(doc, &row.doc) || *doc == row.doc)
        {
            return Ok(Arc::clone(record));
        }
        let record: Arc<T> = Arc::new(row.read()?);
        let mut kept = self.kept.write();
        if kept.len() >= MOST {
            kept.clear();
        }
        kept.insert(row.key.clone(), Parsed { doc: Arc::clone(&row.doc), record: Arc::clone(&record) });
        Ok(record)
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, Memo};
    use svc_storage::{Key, Row};

    fn row(sk: &str, doc: &str) -> Row {
        let (counters, ttl) = (Default::default(), None);
        Row { key: Key::new("p", sk), version: 1, doc: doc.into(), counters, ttl }
    }

    #[test]
    fn a_row_is_what_it_says_now_whatever_its_version() {
        let memo = Memo::<Vec<u8>>::default();
        for (doc, record) in [("[1]", vec![1]), ("[1]", vec![1]), ("[2]", vec![2]), ("[1]", vec![1])] {
            assert_eq!(*memo.read(&row("s", doc)).unwrap(), record);
        }
        assert!(memo.read(&row("s", "nonsense")).is_err());
    }

    #[test]
    fn memory_is_bounded() {
        let memo = Memo::<u8>::default();
        for number in 0..=MOST {
            memo.read(&row(&number.to_string(), "1")).unwrap();
        }
        assert_eq!(memo.kept.read().len(), 1);
    }
}
