//! Reads the text that a source names, as it is now.

use jiff::Timestamp;
use svc_domain::comment::Comment;
use svc_domain::ids::{ItemKey, OrgId, PageId, ProjectKey};
use svc_domain::item::Item;
use svc_domain::search::{Document, Source};
use svc_domain::visibility::Viewer;
use svc_domain::wiki::{Page, PagePath, PageText};
use svc_storage::keys;

use crate::App;
use crate::error::Result;
use crate::heavy;

/// The text, or nothing when there is none any more. `known` is where the index has it: a page that moved
/// twice is found by the later of two messages although the earlier comes last.
pub(super) async fn load(
    app: &App,
    org: OrgId,
    source: &Source,
    known: Option<&Source>,
) -> Result<Option<Document>> {
    match source {
        Source::Item(key) => item(app, org, key).await,
        Source::Comment { item, .. } => comment(app, org, source, item).await,
        Source::Page { project, id, path } => {
            let known = match known {
                Some(Source::Page { path, .. }) => Some(path),
                Some(Source::Item(_) | Source::Comment { .. }) | None => None,
            };
            for path in std::iter::once(path).chain(known) {
                if let Some(found) = page(app, org, project, *id, path).await? {
                    return Ok(Some(found));
                }
            }
            Ok(None)
        }
    }
}

async fn item(app: &App, org: OrgId, key: &ItemKey) -> Result<Option<Document>> {
    let Some(row) = app.table.find(&keys::item(org, key)).await? else { return Ok(None) };
    let item: Item = row.read()?;
    heavy::on_texts(item.body.len(), move || Some(of_item(&item))).await
}

/// An item as the index has it.
pub(crate) fn of_item(item: &Item) -> Document {
    Document::new(Source::Item(item.key.clone()), &item.title, &item.body, item.created_at, false)
}

async fn comment(app: &App, org: OrgId, source: &Source, item: &ItemKey) -> Result<Option<Document>> {
    let Source::Comment { id, .. } = source else { return Ok(None) };
    let Some(row) = app.table.find(&keys::comment(org, item, *id)).await? else { return Ok(None) };
    let comment: Comment = row.read()?;
    if comment.deleted {
        return Ok(None);
    }
    let mut factory = is_of_factory(&comment);
    // Rows of earlier servers do not tell who began their thread; those they go back to do.
    let mut above = comment.reply_to;
    while let Some(id) = above.filter(|_| !factory) {
        let Some(row) = app.table.find(&keys::comment(org, item, id)).await? else { break };
        let answered: Comment = row.read()?;
        factory = answered.is_in_thread_of_agent();
        above = answered.reply_to.filter(|next| *next < id);
    }
    let source = source.clone();
    heavy::on_texts(comment.body.len(), move || Some(of_comment(source, &comment, factory))).await
}

/// Whether a comment tells by itself that an agent had a part in it that stakeholders must not see.
pub(crate) fn is_of_factory(comment: &Comment) -> bool {
    !Viewer::Stakeholder.sees_comment(comment)
}

/// A comment as the index has it.
pub(crate) fn of_comment(source: Source, comment: &Comment, factory: bool) -> Document {
    Document::new(source, "", &comment.body, comment.created_at, factory)
}

async fn page(
    app: &App,
    org: OrgId,
    project: &ProjectKey,
    id: PageId,
    path: &PagePath,
) -> Result<Option<Document>> {
    let Some(row) = app.table.find(&keys::wiki_page(org, project, path.as_str())).await? else {
        return Ok(None);
    };
    let page: Page = row.read()?;
    if page.id != id {
        return Ok(None);
    }
    let Some(text) = app.table.find(&keys::page_version(org, id, page.version)).await? else {
        return Ok(None);
    };
    let text: PageText = text.read()?;
    let project = project.clone();
    heavy::on_texts(text.body.len(), move || Some(of_page(&project, &page, &text))).await
}

/// A page as the index has it.
pub(crate) fn of_page(project: &ProjectKey, page: &Page, text: &PageText) -> Document {
    let source = Source::of_page(project, page);
    Document::new(source, page.path.title(), &text.body, created_at(page.id), false)
}

/// When a page was first written, which its id tells.
fn created_at(id: PageId) -> Timestamp {
    let since_epoch = id.0.get_timestamp().map(|at| at.to_unix());
    let parts = since_epoch.and_then(|(s, ns)| Some((i64::try_from(s).ok()?, i32::try_from(ns).ok()?)));
    parts.and_then(|(s, ns)| Timestamp::new(s, ns).ok()).unwrap_or(Timestamp::UNIX_EPOCH)
}
