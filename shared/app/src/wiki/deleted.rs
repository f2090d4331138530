//! Deleting a page, and bringing it back: its versions stay, and the deletion is one of them, which tells who
//! deleted it and when.
//!
//! A page that has pages below it stays: without it, what it says of readers and editors would hold for them no
//! more. Deleting raises the version of the tree's row, as a move does, so that no page comes below it in that
//! moment (see [`super::moves`]).

use svc_domain::access::Capability;
use svc_domain::event::WikiEvent;
use svc_domain::ids::{PageId, ProjectKey};
use svc_domain::refusal::Refusal;
use svc_domain::wiki::access::{may_read, require_edit};
use svc_domain::wiki::moves::Tree;
use svc_domain::wiki::{Page, PageChange};
use svc_storage::{Condition, Op, Query, Range, Row, keys};

use super::find::SeenPage;
use super::find::{Vacant, find};
use super::moves::{kept_for_playbooks, playbook_pages};
use super::place::{Place, whole};
use super::rows::CurrentPage;
use super::store::{self, named, next_version, version_ops};
use super::visible::visible;
use crate::App;
use crate::entry::{Caller, Entry, enter_project, enter_project_with};
use crate::error::Result;
use crate::identity::bring_up_to_date;
use crate::transaction::Transaction;

/// Deleted pages that one answer has at most.
const LISTED: usize = 1_000;

/// Deletes a page that has none below it.
///
/// # Errors
/// [`Refusal::NotFound`], also at an address that it was moved from; [`Refusal::Conflict`] for a page with pages
/// below it and for a playbook's page; what editing refuses.
pub async fn delete(app: &App, caller: Caller<'_>, project: &ProjectKey, path: &str) -> Result<()> {
    app.decide(|| delete_once(app, caller, project, path)).await
}

async fn delete_once(app: &App, caller: Caller<'_>, project: &ProjectKey, path: &str) -> Result<()> {
    let found = find(app, caller, project, path, Capability::EditWiki, Vacant::IsFree).await;
    let found = found.map_err(|error| match error {
        crate::Error::Refused(Refusal::Invalid(_)) => Refusal::NotFound.into(),
        other => other,
    })?;
    let current = found.place.current.clone().ok_or(Refusal::NotFound)?;
    found.require_edit()?;
    if playbook_pages(app, found.entry.org_id(), project).await?.contains(&current.page.id) {
        let why = "this page holds a playbook's instructions: delete the playbook to delete the page";
        return Err(Refusal::Conflict(why).into());
    }
    let mut transaction = Transaction::of(app, &found.entry);
    delete_page(app, &mut transaction, &found.entry, project, &current).await?;
    app.commit(transaction).await
}

/// Deletes a page in the transaction.
///
/// # Errors
/// [`Refusal::Conflict`] for a page with pages below it.
pub async fn delete_page(
    app: &App,
    transaction: &mut Transaction,
    entry: &Entry,
    project: &ProjectKey,
    current: &CurrentPage,
) -> Result<()> {
    let (org, page) = (entry.org_id(), &current.page);
    let (rows, tree) = whole(app, org, project).await?;
    if rows.iter().any(|row| row.page.path.is_below(&page.path)) {
        return Err(Refusal::Conflict("there are pages below this page: move or delete them first").into());
    }
    let body = store::text(app, org, page.id, page.version).await?.body;
    let gone = next_version(app, page, entry.actor());
    let [_, version] =
        version_ops(org, project, Some(current.row_version), &gone, &body, PageChange::Deleted);
    let row = keys::wiki_page(org, project, page.path.as_str());
    transaction.write([version, Op::delete(row, Condition::Version(current.row_version))]);
    transaction.write([Op::create(keys::wiki_deleted(org, project, gone.id), &gone)]);
    transaction.write([tree.becomes(org, project, &Tree::default())]);
    transaction.tell(WikiEvent::Deleted(named(project, &gone)));
    Ok(())
}

/// The deleted pages that the caller could read where they were, as they were deleted, newest first.
///
/// # Errors
/// Those of entering the project.
pub async fn deleted(app: &App, caller: Caller<'_>, project: &ProjectKey) -> Result<Vec<Page>> {
    let entry = enter_project(app, caller, project, Capability::SeeProject).await?;
    let range = Range::Prefix(keys::DELETED_PAGE_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::wiki_pk(entry.org_id(), project), range, LISTED)).await?;
    let visible = visible(app, &entry, project).await?;
    let mut seen = Vec::new();
    for page in rows.iter().map(Row::read::<Page>) {
        let page = page?;
        let place = Place::load(app, entry.org_id(), project, page.path.clone()).await?;
        if visible.sees(&page) && may_read(&entry.access, &page.path, above(&place).chain([&page.access])) {
            seen.push(page);
        }
    }
    bring_up_to_date(app, entry.org_id(), seen.iter_mut().map(|page| &mut page.updated_by)).await?;
    seen.sort_by_key(|page| std::cmp::Reverse(page.updated_at));
    Ok(seen)
}

/// Brings a deleted page back to where it was, with all its versions and one more.
///
/// # Errors
/// [`Refusal::NotFound`]; [`Refusal::TakenMeanwhile`] where there is another page by now; what editing refuses.
pub async fn undelete(app: &App, caller: Caller<'_>, project: &ProjectKey, id: PageId) -> Result<SeenPage> {
    app.decide(|| undelete_once(app, caller, project, id)).await
}

async fn undelete_once(app: &App, caller: Caller<'_>, project: &ProjectKey, id: PageId) -> Result<SeenPage> {
    let wanted = |org| keys::wiki_deleted(org, project, id);
    let (entry, row) = enter_project_with(app, caller, project, Capability::EditWiki, wanted).await?;
    let row = row.ok_or(Refusal::NotFound)?;
    let gone: Page = row.read()?;
    let org = entry.org_id();
    let place = Place::load(app, org, project, gone.path.clone()).await?;
    admit(app, &entry, project, &gone, &place).await?;
    if kept_for_playbooks(app, org, project).await?.contains(&gone.id) {
        let why = "this page holds the instructions of a deleted playbook: restore the playbook to restore the page";
        return Err(Refusal::Conflict(why).into());
    }
    let mut transaction = Transaction::of(app, &entry);
    let (page, body) = bring_back(app, &mut transaction, &entry, project, (&row, &gone), &place).await?;
    app.commit(transaction).await?;
    Ok(SeenPage { page, body, can_edit: true })
}

/// Brings a deleted page back in the transaction, if there is one of this id.
///
/// # Errors
/// [`Refusal::TakenMeanwhile`] where there is another page by now.
pub async fn undelete_page(
    app: &App,
    transaction: &mut Transaction,
    entry: &Entry,
    project: &ProjectKey,
    id: PageId,
) -> Result<()> {
    let org = entry.org_id();
    let Some(row) = app.table.find(&keys::wiki_deleted(org, project, id)).await? else { return Ok(()) };
    let gone: Page = row.read()?;
    let place = Place::load(app, org, project, gone.path.clone()).await?;
    if place.current.is_some() {
        return Err(Refusal::TakenMeanwhile { by: "another page", what: "page's path" }.into());
    }
    bring_back(app, transaction, entry, project, (&row, &gone), &place).await.map(drop)
}

async fn bring_back(
    app: &App,
    transaction: &mut Transaction,
    entry: &Entry,
    project: &ProjectKey,
    (row, gone): (&Row, &Page),
    place: &Place,
) -> Result<(Page, String)> {
    let org = entry.org_id();
    let body = store::text(app, org, gone.id, gone.version).await?.body;
    let next = next_version(app, gone, entry.actor());
    let change = PageChange::Restored { version: gone.version.saturating_sub(1) };
    transaction.write(version_ops(org, project, None, &next, &body, change));
    transaction.write([place.unmoved(org, project)]);
    transaction.write([row.deleted()]);
    transaction.tell(WikiEvent::Restored(named(project, &next)));
    Ok((next, body))
}

async fn admit(app: &App, entry: &Entry, project: &ProjectKey, gone: &Page, place: &Place) -> Result<()> {
    let visible = visible(app, entry, project).await?;
    if !visible.sees(gone) {
        return Err(Refusal::NotFound.into());
    }
    require_edit(&entry.access, &gone.path, above(place).chain([&gone.access]))?;
    match &place.current {
        Some(there) if visible.sees(&there.page) && may_read(&entry.access, &gone.path, &place.chain) => {
            Err(Refusal::TakenMeanwhile { by: "another page", what: "path" }.into())
        }
        Some(_) => Err(Refusal::NotFound.into()),
        None => Ok(()),
    }
}

/// What the pages above a place say.
fn above(place: &Place) -> impl Iterator<Item = &svc_domain::wiki::audience::PageAccess> + Clone {
    let own = usize::from(place.current.is_some());
    place.chain.iter().take(place.chain.len() - own)
}
