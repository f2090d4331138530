//! Checks wiki pages, those that are deleted or on the move, and their versions.

use svc_domain::deleted_project::DeletedProject;
use svc_domain::ids::{OrgId, PageId, ProjectKey};
use svc_domain::project::Project;
use svc_domain::search::{Source, Target, TextId};
use svc_domain::wiki::moves::{Moved, Tree};
use svc_domain::wiki::{Page, PageText};
use svc_storage::keys;

use super::context::{CheckContext, Stop, Subject, Verdict};
use super::kind::Kind;
use super::projects::project_of;
use super::search;

pub(super) const KINDS: &[Kind] = &[
    Kind::new("WIKI#<org>#<KEY>", "PAGE#<lower path>", page),
    Kind::new("WIKI#<org>#<KEY>", "DELETED#<page>", deleted),
    Kind::new("WIKI#<org>#<KEY>", "MOVED#<lower path>", moved),
    Kind::new("WIKI#<org>#<KEY>", "TREE", tree),
    Kind::new("PAGE#<org>#<page>", "VERSION#<number>", version),
];

fn page(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, project) = project_of(subject, context)?;
    let page: Page = subject.read(context)?;
    subject.is_named(context, &keys::wiki_page(org, &project, page.path.as_str()));
    let Some(text) = current(context, org, &page)? else { return Ok(()) };
    if context.has(&keys::wiki_deleted(org, &project, page.id))? {
        context.broken("it is among the deleted pages too");
    }
    let document = crate::search::of_page(&project, &page, &text);
    search::is_indexed(context, org, &Source::of_page(&project, &page), Some(&document))
}

/// The text of a page, the last one that it has.
fn current(context: &CheckContext<'_>, org: OrgId, page: &Page) -> Result<Option<PageText>, Stop> {
    if context.has(&keys::page_version(org, page.id, page.version + 1))? {
        context.broken("there is a later version than its current one");
    }
    context.need(&keys::page_version(org, page.id, page.version), "text of its current version")
}

fn deleted(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, project) = project_of(subject, context)?;
    let page: Page = subject.read(context)?;
    subject.is_named(context, &keys::wiki_deleted(org, &project, page.id));
    current(context, org, &page)?;
    context.demand(&keys::wiki_tree(org, &project), "row of the tree, which every deletion writes")?;
    search::is_indexed(context, org, &Source::of_page(&project, &page), None)
}

/// Where an address leads may have moved or ended since.
fn moved(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, project) = project_of(subject, context)?;
    let moved: Moved = subject.read(context)?;
    if keys::wiki_moved(org, &project, moved.to.as_str()) == subject.row.key {
        context.broken("it leads to itself");
    }
    context.demand(&keys::wiki_tree(org, &project), "row of the tree, which every move writes")?;
    Ok(())
}

fn tree(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    project_of(subject, context)?;
    if let Some(moving) = subject.read::<Tree>(context)?.moving {
        context.waiting(format!("pages move from {} to {}", moving.from.as_str(), moving.to.as_str()));
    }
    Ok(())
}

/// A version names no project. The first one of a page looks for the page, the others for the first.
fn version(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, page): (OrgId, PageId) = (subject.part("org", context)?, subject.part("page", context)?);
    let text: PageText = subject.read(context)?;
    subject.is_named(context, &keys::page_version(org, page, text.version));
    if text.version > 1 {
        return context
            .demand(&keys::page_version(org, page, text.version - 1), "version before it")
            .map(drop);
    }
    let there: Vec<Project> = context.all(keys::org_pk(org), keys::PROJECT_PREFIX)?;
    let deleted: Vec<DeletedProject> = context.all(keys::org_pk(org), keys::DELETED_PROJECT_PREFIX)?;
    let there = there.into_iter().map(|project| project.key);
    for project in there.chain(deleted.into_iter().map(|deleted| deleted.key)) {
        if context.has(&keys::wiki_deleted(org, &project, page))? || is_in(context, org, &project, page)? {
            return Ok(());
        }
    }
    context.broken("no project has its page");
    Ok(())
}

/// Whether a page is one of a project: the index of texts knows by its id where it is.
fn is_in(context: &CheckContext<'_>, org: OrgId, project: &ProjectKey, page: PageId) -> Result<bool, Stop> {
    let id = TextId { project: project.clone(), target: Target::Page(page) };
    let Some(Source::Page { path, .. }) = search::source_of(context, org, &id)? else { return Ok(false) };
    let found: Option<Page> = context.read(&keys::wiki_page(org, project, path.as_str()))?;
    Ok(found.is_some_and(|found| found.id == page))
}
