//! Finds a page by the path that a caller gives, with what the pages above it say, in the two round trips of
//! entering the project; and refuses who may not read it.

use svc_domain::access::{Access, Capability};
use svc_domain::ids::{PageId, ProjectKey};
use svc_domain::refusal::Refusal;
use svc_domain::wiki::access::{may_read, require_edit};
use svc_domain::wiki::{Page, PagePath};
use svc_storage::keys;

use super::place::Place;
use super::rows::CurrentPage;
use super::visible::{visible, visible_to};
use crate::App;
use crate::entry::{Caller, Entry, enter_project_with};
use crate::error::Result;
use crate::wanted;

/// A place in the wiki that the caller may read, whether there is a page or not.
pub(super) struct Found {
    pub(super) entry: Entry,
    /// The place.
    pub(super) place: Place,
}

/// A page, the text of its current version, and what the caller may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenPage {
    /// The page.
    pub page: Page,
    /// Its text.
    pub body: String,
    /// Whether the caller may edit it.
    pub can_edit: bool,
}

/// What an address without a page is good for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Vacant {
    /// It leads on to where the page was moved.
    LeadsOn,
    /// A page can be created there.
    IsFree,
}

/// Enters the project and finds the place.
///
/// # Errors
/// What entering refuses; [`Refusal::Invalid`] for a text that is the path of no page, and
/// [`Refusal::NotFound`] for a place that the caller may not read.
pub(super) async fn find(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    path: &str,
    capability: Capability,
    vacant: Vacant,
) -> Result<Found> {
    let parsed: Result<PagePath, _> = path.parse();
    let wanted = |org| {
        let pages = parsed.as_ref().map(|path| Place::pages(org, project, path));
        (pages.unwrap_or_default(), keys::wiki_tree(org, project))
    };
    let (entry, rows) = enter_project_with(app, caller, project, capability, wanted).await?;
    let org = entry.org_id();
    let mut place = Place::of(app, org, project, parsed.map_err(Refusal::from)?, &rows).await?;
    place = place.where_older_servers_stored_it(app, org, project).await?;
    if vacant == Vacant::LeadsOn {
        place = place.followed(app, org, project).await?;
    }
    let hidden = match &place.current {
        Some(current) => !visible(app, &entry, project).await?.sees(&current.page),
        None => false,
    };
    if hidden || !may_read(&entry.access, &place.path, &place.chain) {
        return Err(Refusal::NotFound.into());
    }
    Ok(Found { entry, place })
}

/// Finds a page that exists, also by an address that it was moved from.
///
/// # Errors
/// [`Refusal::NotFound`], also for what is not a path: it is the path of no page.
pub(super) async fn find_page(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    path: &str,
    capability: Capability,
) -> Result<(Found, CurrentPage)> {
    let found = find(app, caller, project, path, capability, Vacant::LeadsOn).await;
    let found = found.map_err(|error| match error {
        crate::Error::Refused(Refusal::Invalid(_)) => Refusal::NotFound.into(),
        other => other,
    })?;
    let current = found.place.current.clone().ok_or(Refusal::NotFound)?;
    Ok((found, current))
}

impl Found {
    /// Refuses who may not edit here.
    pub(super) fn require_edit(&self) -> Result<(), Refusal> {
        require_edit(&self.entry.access, &self.place.path, &self.place.chain)
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

/// Whether the caller may read the page at `path`, which holds the instructions of a playbook: it and those above
/// it stay where they are.
///
/// # Errors
/// Those of storage.
pub async fn reads(app: &App, caller: &Access, project: &ProjectKey, path: &PagePath) -> Result<bool> {
    let rows = wanted::load(app, Place::keys(caller.org, project, path)).await?;
    let place = Place::read(path.clone(), &rows)?;
    Ok(may_read(caller, path, &place.chain))
}

/// Whether the caller reads a page that is at `path`, or was until it was deleted there.
///
/// # Errors
/// Those of storage.
pub(crate) async fn learns_of(
    app: &App,
    caller: &Access,
    project: &ProjectKey,
    path: &PagePath,
    id: PageId,
) -> Result<bool> {
    let wanted = (Place::keys(caller.org, project, path), keys::wiki_deleted(caller.org, project, id));
    let (rows, deleted) = wanted::load(app, wanted).await?;
    let deleted = deleted.map(|row| row.read()).transpose()?;
    let place = Place::of(app, caller.org, project, path.clone(), &rows).await?;
    let current = place.current.as_ref().map(|current| &current.page).filter(|page| page.id == id);
    let Some(page) = current.or(deleted.as_ref()) else { return Ok(false) };
    let chain = place.chain.iter().chain(deleted.as_ref().map(|page| &page.access));
    Ok(may_read(caller, path, chain) && visible_to(app, caller, project).await?.sees(page))
}

/// Whether the page of this id is at `path`, and the caller may read it there.
///
/// # Errors
/// Those of storage.
pub async fn reads_page(
    app: &App,
    caller: &Access,
    project: &ProjectKey,
    path: &PagePath,
    id: PageId,
) -> Result<bool> {
    let rows = wanted::load(app, Place::keys(caller.org, project, path)).await?;
    let place = Place::of(app, caller.org, project, path.clone(), &rows).await?;
    let same = place.current.as_ref().is_some_and(|current| current.page.id == id);
    Ok(same && may_read(caller, path, &place.chain))
}
