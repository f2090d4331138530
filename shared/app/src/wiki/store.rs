//! How pages are read from and written to rows: the page by its path, and each version's text by the page's
//! id and its number, always together.

use svc_domain::event::PageRef;
use svc_domain::ids::{Actor, OrgId, PageId, ProjectKey};
use svc_domain::refusal::Refusal;
use svc_domain::wiki::{Page, PageChange, PagePath, PageText};
use svc_storage::{Condition, Op, keys};

use super::rows::CurrentPage;
use crate::App;
use crate::error::Result;

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
    let row = app.table.find(&keys::wiki_page(org, project, path.as_str())).await?;
    row.as_deref().map(CurrentPage::of).transpose()
}

/// One version of a page.
///
/// # Errors
/// [`Refusal::NotFound`] for a version that there is not.
pub async fn text(app: &App, org: OrgId, page: PageId, version: u64) -> Result<PageText> {
    let row = app.table.find(&keys::page_version(org, page, version)).await?;
    Ok(row.ok_or(Refusal::NotFound)?.read()?)
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
