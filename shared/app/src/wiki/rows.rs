//! The rows of a wiki as they are read: a page, and the tree.

use svc_domain::ids::{OrgId, ProjectKey};
use svc_domain::wiki::Page;
use svc_domain::wiki::moves::Tree;
use svc_storage::{Condition, Op, Row, keys};

use crate::App;
use crate::error::Result;

/// A page as it is now, and the version of its row, which a commit that writes it demands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurrentPage {
    /// The page.
    pub page: Page,
    /// Version of its row.
    pub row_version: u64,
}

impl CurrentPage {
    /// Reads a page's row.
    ///
    /// # Errors
    /// When the row is not one of a page.
    pub fn of(row: &Row) -> Result<Self> {
        Ok(Self { page: row.read()?, row_version: row.version })
    }
}

/// The pages alone.
pub(super) fn pages(rows: &[CurrentPage]) -> Vec<Page> {
    rows.iter().map(|row| row.page.clone()).collect()
}

/// The tree's row as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TreeRow {
    pub(super) tree: Tree,
    version: Option<u64>,
}

impl TreeRow {
    /// Of the row, if there is one.
    pub(super) fn of(row: Option<&Row>) -> Result<Self> {
        let tree = row.map(Row::read).transpose()?.unwrap_or_default();
        Ok(Self { tree, version: row.map(|row| row.version) })
    }

    /// Reads it.
    pub(super) async fn load(app: &App, org: OrgId, project: &ProjectKey) -> Result<Self> {
        Self::of(app.table.find(&keys::wiki_tree(org, project)).await?.as_deref())
    }

    fn condition(&self) -> Condition {
        self.version.map_or(Condition::Absent, Condition::Version)
    }

    /// Demands that nothing moved since.
    pub(super) fn unmoved(&self, org: OrgId, project: &ProjectKey) -> Op {
        Op::check(keys::wiki_tree(org, project), self.condition())
    }

    /// Writes what the tree is in the middle of from now on, and that something moved.
    pub(super) fn becomes(&self, org: OrgId, project: &ProjectKey, tree: &Tree) -> Op {
        Op::put(keys::wiki_tree(org, project), self.condition(), tree)
    }

    /// The row as [`TreeRow::becomes`] wrote it.
    pub(super) fn written(&self, tree: Tree) -> Self {
        Self { tree, version: Some(self.version.unwrap_or(0) + 1) }
    }
}
