//! What the wire shows of the wiki's records.

use svc_api::wiki as wire;
use svc_app::wiki::{SeenAccess, SeenPage};
use svc_app::{Result, heavy};
use svc_domain::wiki::audience::Audience;
use svc_domain::wiki::{Page, PageChange, PageText};
use svc_text::diff;

use crate::actor::actor;
use crate::words::Word as _;

/// A page with its text.
pub fn page(seen: SeenPage) -> wire::WikiPage {
    let SeenPage { page, body, can_edit } = seen;
    wire::WikiPage {
        id: page.id.to_string(),
        title: page.path.title().to_owned(),
        path: page.path.into(),
        body,
        version: page.version,
        updated_by: actor(&page.updated_by),
        updated_at: page.updated_at,
        can_edit,
    }
}

/// A page of the tree.
pub fn entry(page: Page) -> wire::WikiEntry {
    wire::WikiEntry {
        id: page.id.to_string(),
        title: page.path.title().to_owned(),
        path: page.path.into(),
        version: page.version,
        updated_at: page.updated_at,
        position: page.position,
    }
}

/// A deleted page.
pub fn deleted(page: Page) -> wire::DeletedPage {
    wire::DeletedPage {
        id: page.id.to_string(),
        title: page.path.title().to_owned(),
        path: page.path.into(),
        version: page.version,
        deleted_by: actor(&page.updated_by),
        deleted_at: page.updated_at,
    }
}

/// A version of a page.
pub fn version(text: PageText) -> wire::PageVersion {
    wire::PageVersion {
        version: text.version,
        body: text.body,
        author: actor(&text.author),
        at: text.at,
        change: change(&text.change),
    }
}

fn change(change: &PageChange) -> wire::PageChange {
    let (kind, version, path) = match change {
        PageChange::Written => (wire::PageChangeKind::Written, None, None),
        PageChange::Restored { version } => (wire::PageChangeKind::Restored, Some(*version), None),
        PageChange::Access => (wire::PageChangeKind::Access, None, None),
        PageChange::Deleted => (wire::PageChangeKind::Deleted, None, None),
        PageChange::Moved { from } => (wire::PageChangeKind::Moved, None, Some(from.to_string())),
    };
    wire::PageChange { kind, version, path }
}

/// What differs between two versions, found without keeping other requests waiting; without an older one, all of
/// the newer is added.
///
/// # Errors
/// [`StorageError::Unavailable`](svc_app::StorageError::Unavailable) when too much is to be compared at once.
pub async fn diff(old: Option<PageText>, new: PageText) -> Result<wire::PageDiff> {
    let (from, before) = old.map_or_else(Default::default, |text| (text.version, text.body));
    let found = heavy::comparing(before, new.body, diff::diff).await?;
    Ok(wire::PageDiff {
        from,
        to: new.version,
        hunks: found.hunks.into_iter().map(hunk).collect(),
        unified: found.unified,
        truncated: found.truncated,
    })
}

pub(crate) fn hunk(hunk: diff::Hunk) -> wire::DiffHunk {
    let line = |line: diff::Line| wire::DiffLine { kind: line.kind.sent(), text: line.text };
    wire::DiffHunk {
        old_start: hunk.old_start as u64,
        old_lines: hunk.old_lines as u64,
        new_start: hunk.new_start as u64,
        new_lines: hunk.new_lines as u64,
        lines: hunk.lines.into_iter().map(line).collect(),
    }
}

/// Who reads and edits a page.
pub fn access(seen: SeenAccess) -> wire::PageAccess {
    wire::PageAccess {
        version: seen.version,
        read: seen.access.read.map(audience),
        edit: seen.access.edit.map(audience),
        can_change: seen.can_change,
    }
}

fn audience(audience: Audience) -> wire::Audience {
    let (who, people) = match audience {
        Audience::Everyone => (wire::AudienceKind::Everyone, Vec::new()),
        Audience::Members => (wire::AudienceKind::Members, Vec::new()),
        Audience::Admins => (wire::AudienceKind::Admins, Vec::new()),
        Audience::People(people) => {
            (wire::AudienceKind::People, people.iter().map(ToString::to_string).collect())
        }
    };
    wire::Audience { who, people }
}
