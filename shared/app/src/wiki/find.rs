//! Finds a page by the path that a caller gives, with what the pages above it say, in the two round trips of
//! entering the project; and refuses who may not read it.

use svc_domain::access::{Access, Capability};
use svc_domain::ids::{OrgId, OrgSlug, ProjectKey};
use svc_domain::refusal::Refusal;
use svc_domain::wiki::access::{PageAccess, may_read, require_edit};
use svc_domain::wiki::{Page, PagePath};
use svc_storage::{Key, Row, keys};

use super::page::SeenPage;
use super::store::CurrentPage;
use super::visible::visible;
use crate::App;
use crate::entry::{Entry, Presented, enter_project};
use crate::error::Result;

/// A place in the wiki that the caller may read, whether there is a page or not.
pub(super) struct Found {
    pub(super) entry: Entry,
    /// Where the page is.
    pub(super) path: PagePath,
    /// The page, where there is one.
    pub(super) current: Option<CurrentPage>,
    /// What the page and those above it say of readers and editors.
    chain: Vec<PageAccess>,
}

/// Enters the project and finds the place.
///
/// # Errors
/// What entering refuses; [`Refusal::Invalid`] for a text that is the path of no page, and
/// [`Refusal::NotFound`] for a place that the caller may not read.
pub(super) async fn find(
    app: &App,
    caller: Option<&Presented>,
    slug: &OrgSlug,
    project: &ProjectKey,
    path: &str,
    capability: Capability,
) -> Result<Found> {
    let parsed: Result<PagePath, _> = path.parse();
    let entry = enter_project(app, caller, slug, project, capability, |org| {
        parsed.as_ref().map(|path| keys_of(org, project, path)).unwrap_or_default()
    })
    .await?;
    let path = parsed.map_err(Refusal::from)?;
    let (current, chain) = page_and_chain(&path, &entry.rows)?;
    let hidden = match &current {
        Some(current) => !visible(app, &entry, project).await?.sees(&current.page),
        None => false,
    };
    if hidden || !may_read(&entry.access, &path, &chain) {
        return Err(Refusal::NotFound.into());
    }
    Ok(Found { entry, path, current, chain })
}

/// Finds a page that exists.
///
/// # Errors
/// [`Refusal::NotFound`], also for what is not a path: it is the path of no page.
pub(super) async fn find_page(
    app: &App,
    caller: Option<&Presented>,
    slug: &OrgSlug,
    project: &ProjectKey,
    path: &str,
    capability: Capability,
) -> Result<(Found, CurrentPage)> {
    let found = find(app, caller, slug, project, path, capability).await.map_err(|error| match error {
        crate::Error::Refused(Refusal::Invalid(_)) => Refusal::NotFound.into(),
        other => other,
    })?;
    let current = found.current.clone().ok_or(Refusal::NotFound)?;
    Ok((found, current))
}

impl Found {
    /// Refuses who may not edit here.
    pub(super) fn require_edit(&self) -> Result<(), Refusal> {
        require_edit(&self.entry.access, &self.path, &self.chain)
    }

    /// A page here as the caller sees it.
    pub(super) fn seen(&self, page: Page, body: String) -> SeenPage {
        SeenPage { page, body, can_edit: self.require_edit().is_ok() }
    }
}

/// Refuses a version that is no longer the page's.
pub(super) fn require_version(current: &CurrentPage, sent: u64) -> Result<(), Refusal> {
    let current = current.page.version;
    if sent == current { Ok(()) } else { Err(Refusal::StaleVersion { current }) }
}

/// The rows of a page and of the pages above it, from the root.
fn keys_of(org: OrgId, project: &ProjectKey, path: &PagePath) -> Vec<Key> {
    path.chain().iter().map(|path| keys::wiki_page(org, project, path.as_str())).collect()
}

fn page_and_chain(path: &PagePath, rows: &[Option<Row>]) -> Result<(Option<CurrentPage>, Vec<PageAccess>)> {
    let found = rows.iter().map(|row| row.as_ref().map(CurrentPage::of).transpose());
    let mut found = found.collect::<Result<Vec<Option<CurrentPage>>>>()?;
    debug_assert_eq!(found.len(), path.chain().len(), "the rows of keys_of");
    let chain = found.iter().flatten().map(|current| current.page.access.clone()).collect();
    Ok((found.pop().flatten(), chain))
}

/// Whether the caller may read the page at `path`.
///
/// # Errors
/// Those of storage.
pub async fn reads(app: &App, caller: &Access, project: &ProjectKey, path: &PagePath) -> Result<bool> {
    let rows = app.table.get_many(&keys_of(caller.org, project, path)).await?;
    let (_, chain) = page_and_chain(path, &rows)?;
    Ok(may_read(caller, path, &chain))
}
