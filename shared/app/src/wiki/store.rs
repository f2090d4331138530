//! How pages are read from and written to rows: the page by its path, and each version's text by the page's
//! id and its number, always together.

use svc_domain::event::{Event, PageRef};
use svc_domain::ids::{Actor, OrgId, PageId, ProjectKey};
use svc_domain::refusal::Refusal;
use svc_domain::wiki::access::PageAccess;
use svc_domain::wiki::{Page, PageChange, PagePath, PageText};
use svc_storage::{Condition, Op, Row, keys};

use super::place::Place;
use crate::App;
use crate::error::Result;
use crate::transaction::Transaction;

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

/// The page at a path, if there is one, which holds the instructions of a playbook: no move takes it away.
///
/// # Errors
/// Those of storage.
pub async fn current(
    app: &App,
    org: OrgId,
    project: &ProjectKey,
    path: &PagePath,
) -> Result<Option<CurrentPage>> {
    let row = app.table.get(&keys::wiki_page(org, project, path.as_str())).await?;
    row.as_ref().map(CurrentPage::of).transpose()
}

/// One version of a page.
///
/// # Errors
/// [`Refusal::NotFound`] for a version that there is not.
pub async fn text(app: &App, org: OrgId, page: PageId, version: u64) -> Result<PageText> {
    let row = app.table.get(&keys::page_version(org, page, version)).await?;
    Ok(row.ok_or(Refusal::NotFound)?.read()?)
}

/// Creates the page at a place in the transaction, or writes the next version of the page that is there; answers
/// the page as it is written. A page keeps the case in which its path was first written.
pub fn write_page(
    app: &App,
    transaction: &mut Transaction,
    org: OrgId,
    project: &ProjectKey,
    place: &Place,
    body: &str,
    author: &Actor,
) -> Page {
    let current = place.current.as_ref();
    let page = match current {
        Some(current) => next_version(app, &current.page, author),
        None => Page {
            id: PageId(app.uuid()),
            path: place.path.clone(),
            version: 1,
            updated_by: author.clone(),
            updated_at: app.now(),
            position: 0,
            access: PageAccess::default(),
        },
    };
    let row_version = current.map(|current| current.row_version);
    transaction.write(version_ops(org, project, row_version, &page, body, PageChange::Written));
    if current.is_none() {
        transaction.write([place.unmoved(org, project)]);
    }
    transaction.tell(Event::PageWritten(named(project, &page)));
    page
}

/// A page as events name it.
pub(super) fn named(project: &ProjectKey, page: &Page) -> PageRef {
    PageRef { project: project.clone(), id: page.id, path: page.path.clone() }
}

/// The page as its next version begins.
pub(super) fn next_version(app: &App, page: &Page, author: &Actor) -> Page {
    Page { version: page.version + 1, updated_by: author.clone(), updated_at: app.now(), ..page.clone() }
}

/// The operations that write a version: the page over the row that was read, or where none was, and the text.
pub(super) fn version_ops(
    org: OrgId,
    project: &ProjectKey,
    row_version: Option<u64>,
    page: &Page,
    body: &str,
    change: PageChange,
) -> [Op; 2] {
    let text = PageText {
        version: page.version,
        body: body.to_owned(),
        author: page.updated_by.clone(),
        at: page.updated_at,
        change,
    };
    let condition = row_version.map_or(Condition::Absent, Condition::Version);
    [
        Op::put(keys::wiki_page(org, project, page.path.as_str()), condition, page),
        Op::create(keys::page_version(org, page.id, page.version), &text),
    ]
}
