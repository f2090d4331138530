//! Reading the tree and a page, and writing a page.

use svc_domain::access::Capability;
use svc_domain::event::WikiEvent;
use svc_domain::ids::{Actor, OrgId, PageId, ProjectKey};
use svc_domain::mention::may_mention;
use svc_domain::name::check_given;
use svc_domain::refusal::Refusal;
use svc_domain::wiki::audience::PageAccess;
use svc_domain::wiki::{Page, PageChange, check_text, tree::seen_by};

use super::find::{SeenPage, Vacant, find, find_page};
use super::place::{Place, whole};
use super::rows::{CurrentPage, pages};
use super::store::{self, named, next_version, version_ops};
use super::visible::visible;
use crate::App;
use crate::entry::{Caller, enter_project};
use crate::error::Result;
use crate::identity::bring_up_to_date;
use crate::transaction::Transaction;

/// The new text of a page.
#[derive(Clone, Debug)]
pub struct PutPage {
    /// The version last read; `None` creates the page.
    pub version: Option<u64>,
    /// Text, Markdown.
    pub body: String,
}

/// Every page that the caller can see, in the order of the tree.
///
/// # Errors
/// Those of entering the project.
pub async fn tree(app: &App, caller: Caller<'_>, project: &ProjectKey) -> Result<Vec<Page>> {
    let entry = enter_project(app, caller, project, Capability::SeeProject).await?;
    let (rows, _) = whole(app, entry.org_id(), project).await?;
    let visible = visible(app, &entry, project).await?;
    let mut seen = seen_by(&entry.access, pages(&rows));
    seen.retain(|page| visible.sees(page));
    bring_up_to_date(app, entry.org_id(), seen.iter_mut().map(|page| &mut page.updated_by)).await?;
    Ok(seen)
}

/// A page.
///
/// # Errors
/// [`Refusal::NotFound`] for a page that does not exist or is not for the caller.
pub async fn get(app: &App, caller: Caller<'_>, project: &ProjectKey, path: &str) -> Result<SeenPage> {
    let (found, CurrentPage { mut page, .. }) =
        find_page(app, caller, project, path, Capability::SeeProject).await?;
    bring_up_to_date(app, found.entry.org_id(), [&mut page.updated_by]).await?;
    let text = store::text(app, found.entry.org_id(), page.id, page.version).await?;
    Ok(found.seen(page, text.body))
}

/// Creates a page, or writes its next version. Writing what it says already changes nothing.
///
/// # Errors
/// [`Refusal::Invalid`] for a path or a text that cannot be one; [`Refusal::StaleVersion`] when somebody else
/// wrote the page, also when it exists and no version was sent; [`Refusal::Forbidden`] for who only reads it.
pub async fn put(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    path: &str,
    put: &PutPage,
) -> Result<SeenPage> {
    app.decide(|| put_once(app, caller, project, path, put)).await
}

async fn put_once(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    path: &str,
    put: &PutPage,
) -> Result<SeenPage> {
    // Who read the page before it was moved writes its next version; who creates one means this path.
    let vacant = if put.version.is_some() { Vacant::LeadsOn } else { Vacant::IsFree };
    let found = find(app, caller, project, path, Capability::EditWiki, vacant).await?;
    found.require_edit()?;
    check_text("body", &put.body)?;
    let version = found.place.current.as_ref().map(|current| current.page.version);
    match (version, put.version) {
        (None, Some(_)) => return Err(Refusal::NotFound.into()),
        (Some(current), sent) if sent != Some(current) => {
            return Err(Refusal::StaleVersion { current }.into());
        }
        (None, None) => check_given("path", found.place.path.as_str(), None)?,
        (Some(_), _) => {}
    }
    let entry = &found.entry;
    if let Some(CurrentPage { page, .. }) = &found.place.current {
        let text = store::text(app, entry.org_id(), page.id, page.version).await?;
        if text.body == put.body {
            return Ok(found.seen(page.clone(), text.body));
        }
    }
    let mut transaction = Transaction::of(app, entry);
    let (org, author) = (entry.org_id(), entry.actor());
    let page = write_page(app, &mut transaction, org, project, &found.place, &put.body, author);
    app.commit(transaction).await?;
    Ok(found.seen(page, put.body.clone()))
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
    let version = may_mention(body).then_some(page.version);
    transaction.tell(WikiEvent::Written(named(project, &page), version));
    page
}
