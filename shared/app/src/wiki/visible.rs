//! Which pages of a wiki a caller sees: the rule is [`svc_domain::visibility`]'s, the pages of playbooks are
//! loaded here, for those only to whom it makes a difference.

use svc_domain::access::Access;
use svc_domain::ids::ProjectKey;
use svc_domain::playbook::Playbook;
use svc_domain::visibility::{PlaybookPages, Viewer};
use svc_domain::wiki::{Page, PagePath};
use svc_storage::{Query, Range, Row, keys};

use crate::App;
use crate::entry::Entry;
use crate::error::Result;

/// What a caller sees of a project's wiki.
#[derive(Clone, Debug)]
pub struct VisiblePages {
    viewer: Viewer,
    playbooks: PlaybookPages,
}

impl VisiblePages {
    /// Whether the caller sees a page.
    pub fn sees(&self, page: &Page) -> bool {
        self.viewer.sees_page(page, &self.playbooks)
    }

    /// Whether the caller may know of a path, whether or not there is a page.
    pub fn sees_path(&self, path: &PagePath) -> bool {
        self.viewer.sees_path(path)
    }
}

/// What the caller sees of the wiki of a project that they entered.
///
/// # Errors
/// Those of storage.
pub async fn visible(app: &App, entry: &Entry, project: &ProjectKey) -> Result<VisiblePages> {
    visible_to(app, &entry.access, project).await
}

/// What a caller with this access sees of the wiki of a project.
///
/// # Errors
/// Those of storage.
pub(super) async fn visible_to(app: &App, access: &Access, project: &ProjectKey) -> Result<VisiblePages> {
    let viewer = Viewer::of(access);
    if viewer.sees_playbook_pages() {
        return Ok(VisiblePages { viewer, playbooks: PlaybookPages::default() });
    }
    let range = Range::Prefix(keys::PLAYBOOK_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::project_pk(access.org, project), range, 1_000)).await?;
    let playbooks = rows.iter().map(Row::read).collect::<Result<Vec<Playbook>, _>>()?;
    Ok(VisiblePages { viewer, playbooks: PlaybookPages::of(&playbooks) })
}
