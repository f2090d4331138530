//! Reading the tree, a page and its versions, and writing a page.

use svc_domain::access::Capability;
use svc_domain::ids::{OrgSlug, ProjectKey};
use svc_domain::refusal::Refusal;
use svc_domain::wiki::{Page, PagePath, PageText, check_text};
use svc_storage::{Query, Range, keys};

use super::store::{self, CurrentPage, page_ops};
use super::visible::{VisiblePages, visible};
use crate::App;
use crate::entry::{Entry, Presented, enter_project};
use crate::error::Result;

/// A page and the text of its current version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageWithText {
    /// The page.
    pub page: Page,
    /// Its text.
    pub body: String,
}

/// What a page shall say.
#[derive(Clone, Debug)]
pub struct PutPage {
    /// The version last read; `None` creates the page.
    pub version: Option<u64>,
    /// Text, Markdown.
    pub body: String,
}

/// Every page that the caller can see, by path.
///
/// # Errors
/// Those of entering the project.
pub async fn tree(
    app: &App,
    caller: Option<&Presented>,
    slug: &OrgSlug,
    project: &ProjectKey,
) -> Result<Vec<Page>> {
    let entry = enter_project(app, caller, slug, project, Capability::SeeProject, |_| vec![]).await?;
    let prefix = Range::Prefix(keys::PAGE_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::wiki_pk(entry.org_id(), project), prefix, 1_000)).await?;
    let visible = visible(app, &entry, project).await?;
    let mut pages = rows.iter().map(svc_storage::Row::read).collect::<Result<Vec<Page>, _>>()?;
    pages.retain(|page| visible.sees(page));
    Ok(pages)
}

/// A page.
///
/// # Errors
/// [`Refusal::NotFound`] for a page that does not exist or is not for the caller.
pub async fn get(
    app: &App,
    caller: Option<&Presented>,
    slug: &OrgSlug,
    project: &ProjectKey,
    path: &str,
) -> Result<PageWithText> {
    let (entry, current) = read(app, caller, slug, project, path).await?;
    let page = current.page;
    let text = store::text(app, entry.org_id(), page.id, page.version).await?;
    Ok(PageWithText { page, body: text.body })
}

/// The newest versions of a page, newest first: at most 100, and fewer when their texts exceed about 1 MB.
///
/// # Errors
/// As [`get`].
pub async fn versions(
    app: &App,
    caller: Option<&Presented>,
    slug: &OrgSlug,
    project: &ProjectKey,
    path: &str,
) -> Result<Vec<PageText>> {
    let (entry, current) = read(app, caller, slug, project, path).await?;
    let partition = keys::page_versions_pk(entry.org_id(), current.page.id);
    let newest = app.table.query(&Query::new(partition, Range::All, 100).descending()).await?;
    Ok(newest.rows.iter().map(svc_storage::Row::read).collect::<Result<_, _>>()?)
}

async fn read(
    app: &App,
    caller: Option<&Presented>,
    slug: &OrgSlug,
    project: &ProjectKey,
    path: &str,
) -> Result<(Entry, CurrentPage)> {
    let parsed: Option<PagePath> = path.parse().ok();
    let mut entry = enter_project(app, caller, slug, project, Capability::SeeProject, |org| {
        parsed.iter().map(|path| keys::wiki_page(org, project, path.as_str())).collect()
    })
    .await?;
    // What is not a path is the path of no page.
    let path = parsed.ok_or(Refusal::NotFound)?;
    let visible = visible(app, &entry, project).await?;
    require_path(&visible, &path)?;
    let current = CurrentPage::of(&entry.take(0)?)?;
    require_page(&visible, &current)?;
    Ok((entry, current))
}

/// Creates a page, or writes its next version. Writing what it says already changes nothing.
///
/// # Errors
/// [`Refusal::Invalid`] for a path or a text that cannot be one; [`Refusal::StaleVersion`] when somebody else
/// wrote the page, also when it exists and no version was sent.
pub async fn put(
    app: &App,
    caller: Option<&Presented>,
    slug: &OrgSlug,
    project: &ProjectKey,
    path: &str,
    put: &PutPage,
) -> Result<PageWithText> {
    app.decide(|| put_once(app, caller, slug, project, path, put)).await
}

async fn put_once(
    app: &App,
    caller: Option<&Presented>,
    slug: &OrgSlug,
    project: &ProjectKey,
    path: &str,
    put: &PutPage,
) -> Result<PageWithText> {
    let parsed: Result<PagePath, _> = path.parse();
    let entry = enter_project(app, caller, slug, project, Capability::Work, |org| {
        parsed.iter().map(|path| keys::wiki_page(org, project, path.as_str())).collect()
    })
    .await?;
    let path = parsed.map_err(Refusal::from)?;
    let visible = visible(app, &entry, project).await?;
    require_path(&visible, &path)?;
    if path.is_in_factory_section() {
        entry.access.require(Capability::ConfigureProject)?;
    }
    check_text("body", &put.body)?;
    let current = entry.rows[0].as_ref().map(CurrentPage::of).transpose()?;
    if let Some(current) = &current {
        require_page(&visible, current)?;
    }
    let version = current.as_ref().map(|current| current.page.version);
    match (version, put.version) {
        (None, Some(_)) => return Err(Refusal::NotFound.into()),
        (Some(current), sent) if sent != Some(current) => {
            return Err(Refusal::StaleVersion { current }.into());
        }
        (Some(_) | None, _) => {}
    }
    if let Some(CurrentPage { page, .. }) = &current {
        let text = store::text(app, entry.org_id(), page.id, page.version).await?;
        if text.body == put.body {
            return Ok(PageWithText { page: page.clone(), body: text.body });
        }
    }
    let (ops, page) =
        page_ops(app, entry.org_id(), project, &path, current.as_ref(), &put.body, entry.actor());
    app.commit(ops).await?;
    Ok(PageWithText { page, body: put.body.clone() })
}

/// What the caller must not know of does not exist.
fn require_path(visible: &VisiblePages, path: &PagePath) -> Result<(), Refusal> {
    if visible.sees_path(path) { Ok(()) } else { Err(Refusal::NotFound) }
}

fn require_page(visible: &VisiblePages, current: &CurrentPage) -> Result<(), Refusal> {
    if visible.sees(&current.page) { Ok(()) } else { Err(Refusal::NotFound) }
}
