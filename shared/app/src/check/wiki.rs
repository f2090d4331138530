//! Judges wiki pages and their versions.

use svc_domain::ids::{OrgId, PageId, ProjectKey};
use svc_domain::project::Project;
use svc_domain::search::{Source, Target, TextId};
use svc_domain::wiki::{Page, PageText};
use svc_storage::keys;

use super::kinds::Kind;
use super::look::{Look, Stop, Subject, Verdict};
use super::projects::project_of;
use super::search;

pub(super) const KINDS: &[Kind] = &[
    Kind::new("WIKI#<org>#<KEY>", "PAGE#<lower path>", page),
    Kind::new("PAGE#<org>#<page>", "VERSION#<number>", version),
];

fn page(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    let (org, project) = project_of(subject, look)?;
    let page: Page = subject.read(look)?;
    subject.is_named(look, &keys::wiki_page(org, &project, page.path.as_str()));
    let name = keys::page_version(org, page.id, page.version);
    let Some(text) = look.need::<PageText>(&name, "text of its current version")? else { return Ok(()) };
    if look.has(&keys::page_version(org, page.id, page.version + 1))? {
        look.broken("there is a later version than its current one");
    }
    let document = crate::search::of_page(&project, &page, &text);
    search::is_indexed(look, org, &Source::of_page(&project, &page), Some(&document))
}

/// A version names no project. The first one of a page looks for the page, the others for the first.
fn version(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    let (org, page): (OrgId, PageId) = (subject.part("org", look)?, subject.part("page", look)?);
    let text: PageText = subject.read(look)?;
    subject.is_named(look, &keys::page_version(org, page, text.version));
    if text.version > 1 {
        return look.demand(&keys::page_version(org, page, text.version - 1), "version before it").map(drop);
    }
    let projects: Vec<Project> = look.all(keys::org_pk(org), keys::PROJECT_PREFIX)?;
    for project in projects {
        if is_in(look, org, &project.key, page)? {
            return Ok(());
        }
    }
    look.broken("no project has its page");
    Ok(())
}

/// Whether a page is one of a project: the index of texts knows by its id where it is.
fn is_in(look: &Look<'_>, org: OrgId, project: &ProjectKey, page: PageId) -> Result<bool, Stop> {
    let id = TextId { project: project.clone(), target: Target::Page(page) };
    let Some(Source::Page { path, .. }) = search::source_of(look, org, &id)? else { return Ok(false) };
    let found: Option<Page> = look.read(&keys::wiki_page(org, project, path.as_str()))?;
    Ok(found.is_some_and(|found| found.id == page))
}
