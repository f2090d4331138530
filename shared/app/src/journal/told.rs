//! What a caller may see of the journal's lines, by their current rights.

use std::collections::BTreeMap;
use std::sync::Arc;

use svc_domain::access::{Access, ProjectStanding};
use svc_domain::deleted_project::DeletedProject;
use svc_domain::identity::ProjectMember;
use svc_domain::ids::{ItemKey, ProjectKey};
use svc_domain::journal::{Changed, JournalCursor, Line};
use svc_domain::project::Project;
use svc_domain::workflow::Workflow;
use svc_storage::{RowOf, keys};

use crate::App;
use crate::entry::Entry;
use crate::error::Result;
use crate::tracker::list::{ListedItem, Rendered};
use crate::tracker::listed;
use crate::wanted;
use crate::wiki;

/// What changed in an organization.
#[derive(Clone, Debug, Default)]
pub struct OrgChanges {
    /// Where to go on.
    pub cursor: String,
    /// Whether the client must load everything anew, and then go on at the cursor.
    pub reload: bool,
    /// Items that were created or changed, as they are now.
    pub items: Vec<Rendered>,
    /// Items that went.
    pub removed: Vec<ItemKey>,
    /// What else changed; never [`Changed::Items`].
    pub changed: Vec<Changed>,
}

impl OrgChanges {
    pub(super) fn none(cursor: JournalCursor, reload: bool) -> Self {
        Self { cursor: cursor.to_string(), reload, ..Self::default() }
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.reload && self.items.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }
}

/// A project, as the caller may see it.
struct Room {
    access: Access,
    workflow: Arc<Workflow>,
    /// Whether the project was deleted: of such a one, the caller learns only that it changed.
    deleted: bool,
}

/// What the caller is told of these lines; the cursor is still missing.
pub(super) async fn told(
    app: &App,
    entry: &Entry,
    lines: impl Iterator<Item = &Line>,
    render: &impl Fn(&ProjectKey, ListedItem<'_>) -> Rendered,
) -> Result<OrgChanges> {
    let mut all = Line::default();
    lines.flat_map(|line| &line.changed).for_each(|changed| all.add(changed.clone()));
    let rooms = rooms(app, entry, &all.changed).await?;
    let mut told = OrgChanges::default();
    for changed in all.changed {
        let room = changed.project().map(|project| rooms.get(project));
        let access = match &room {
            None => &entry.access,
            Some(Some(room)) => &room.access,
            Some(None) => continue,
        };
        let hidden =
            matches!(room, Some(Some(room)) if room.deleted && !matches!(changed, Changed::Project { .. }));
        if hidden || !changed.is_told(access) {
            continue;
        }
        match changed {
            Changed::Items { project, numbers } => {
                if let Some(Some(room)) = room {
                    items(app, room, &project, &numbers, render, &mut told).await?;
                }
            }
            Changed::Page { project, id, path } => {
                if wiki::learns_of(app, access, &project, &path, id).await? {
                    told.changed.push(Changed::Page { project, id, path });
                }
            }
            other => told.changed.push(other),
        }
    }
    Ok(told)
}

/// The projects that these are in, and that are still there or can be restored.
async fn rooms(app: &App, entry: &Entry, changed: &[Changed]) -> Result<BTreeMap<ProjectKey, Room>> {
    let (org, user) = (entry.org_id(), entry.access.user());
    let mut projects: Vec<&ProjectKey> = changed.iter().filter_map(Changed::project).collect();
    projects.sort_unstable();
    projects.dedup();
    let of = |project: &ProjectKey| {
        (
            keys::project(org, project),
            keys::deleted_project(org, project),
            keys::workflow(org, project),
            user.map(|user| keys::project_member(org, project, user)),
        )
    };
    let wanted: Vec<_> = projects.iter().map(|project| of(project)).collect();
    let mut rooms = BTreeMap::new();
    for (project, rows) in projects.into_iter().zip(wanted::load(app, wanted).await?) {
        if let Some(room) = room(app, entry, rows)? {
            rooms.insert(project.clone(), room);
        }
    }
    Ok(rooms)
}

/// The rows of a [`Room`].
type RoomRows = (
    Option<RowOf<Project>>,
    Option<RowOf<DeletedProject>>,
    Option<RowOf<Workflow>>,
    Option<RowOf<ProjectMember>>,
);

/// The project of these rows: its own, what is kept of it when it was deleted, its workflow's, and that of the caller's
/// membership.
fn room(app: &App, entry: &Entry, rows: RoomRows) -> Result<Option<Room>> {
    let (project, deleted, workflow, member) = rows;
    let there = project.map(|row| app.parse_cache.projects.read(&row)).transpose()?;
    let kept = deleted.map(|row| row.read()).transpose()?;
    let deleted = there.is_none();
    let Some(project) = there.or_else(|| kept?.project.map(Arc::new)) else { return Ok(None) };
    let workflow = workflow.map(|row| app.parse_cache.workflows.read(&row)).transpose()?;
    let member = member.map(|row| app.parse_cache.project_members.read(&row)).transpose()?;
    let standing = ProjectStanding {
        key: project.key.clone(),
        archived: project.archived,
        role: member.map(|member| member.role),
    };
    let access = Access { project: Some(standing), ..entry.access.clone() };
    Ok(Some(Room { access, workflow: workflow.unwrap_or_default(), deleted }))
}

/// Adds these items as they are now.
async fn items(
    app: &App,
    room: &Room,
    project: &ProjectKey,
    numbers: &[u64],
    render: &impl Fn(&ProjectKey, ListedItem<'_>) -> Rendered,
    told: &mut OrgChanges,
) -> Result<()> {
    let feed = app.feeds.fresh(app, room.access.org, project).await?;
    let index = feed.read();
    let there = numbers.iter().filter_map(|number| index.get(*number));
    let there = there.map(|entry| listed(app, &index, entry, &room.workflow));
    told.items.extend(feed.render(&index, there, |item| render(project, item)));
    let gone = numbers.iter().filter(|number| index.get(**number).is_none());
    told.removed.extend(gone.map(|number| ItemKey { project: project.clone(), number: *number }));
    Ok(())
}
