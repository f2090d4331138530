//! Reading the tree and a page, and writing a page.

use svc_domain::access::Capability;
use svc_domain::ids::ProjectKey;
use svc_domain::refusal::Refusal;
use svc_domain::wiki::{Page, check_text, tree::seen_by};

use super::find::{Vacant, find, find_page};
use super::place::{pages, whole};
use super::store::{self, CurrentPage, write_page};
use super::visible::visible;
use crate::App;
use crate::entry::{Caller, enter_project};
use crate::error::Result;
use crate::transaction::Transaction;

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

/// What a page shall say.
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
    let entry = enter_project(app, caller, project, Capability::SeeProject, |_| vec![]).await?;
    let (rows, _) = whole(app, entry.org_id(), project).await?;
    let visible = visible(app, &entry, project).await?;
    let mut seen = seen_by(&entry.access, pages(&rows));
    seen.retain(|page| visible.sees(page));
    Ok(seen)
}

/// A page.
///
/// # Errors
/// [`Refusal::NotFound`] for a page that does not exist or is not for the caller.
pub async fn get(app: &App, caller: Caller<'_>, project: &ProjectKey, path: &str) -> Result<SeenPage> {
    let (found, CurrentPage { page, .. }) =
        find_page(app, caller, project, path, Capability::SeeProject).await?;
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
        (Some(_) | None, _) => {}
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
