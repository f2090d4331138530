//! Events of wiki pages.

use crate::ids::{PageId, ProjectKey};
use crate::wiki::PagePath;

/// A page of the wiki, as events name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRef {
    /// The project.
    pub project: ProjectKey,
    /// The page.
    pub id: PageId,
    /// Its path after the event.
    pub path: PagePath,
}

/// What happens to a page of a wiki.
#[derive(Clone, Debug, PartialEq)]
pub enum WikiEvent {
    /// A page was created, or its text changed: in which version, if that may mention somebody.
    Written(PageRef, Option<u64>),
    /// A page moved, from a path.
    Moved(PageRef, PagePath),
    /// A page was deleted.
    Deleted(PageRef),
    /// A deleted page was brought back.
    Restored(PageRef),
    /// Who reads or edits a page changed.
    AccessChanged(PageRef),
    /// Pages of a project are on the move, and not all of them moved yet.
    MoveUnfinished(ProjectKey),
}
