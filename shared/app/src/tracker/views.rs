//! The saved views of a project or an organization: those that are shared, and those of the person who asks.
//!
//! All shared views are one row, and all views of a person are another. A view that is shared, or taken back, moves
//! from one to the other in one commit.

use svc_domain::access::{Access, Capability};
use svc_domain::event::{OrgEvent, ProjectEvent};
use svc_domain::ids::{OrgId, ProjectKey, UserId, ViewId};
use svc_domain::refusal::Refusal;
use svc_domain::replacement::What;
use svc_domain::saved_view::{Layout, SavedView, Views, require_person, require_share, sees_shared};
use svc_storage::{Condition, Key, KeyOf, Op, Query, Range, Row, RowOf, keys};

use super::teams::require_version;
use crate::App;
use crate::entry::{Caller, Entry, enter_org_with, enter_project_with};
use crate::error::Result;
use crate::identity::bring_up_to_date;
use crate::transaction::Transaction;

/// Whose items views list.
#[derive(Clone, Copy, Debug)]
pub enum ViewsOf<'a> {
    /// Those of every project of the caller's organization.
    Organization,
    /// Those of a project.
    Project(&'a ProjectKey),
}

impl ViewsOf<'_> {
    fn shared(self, org: OrgId) -> KeyOf<Views> {
        match self {
            Self::Organization => keys::shared_org_views(org),
            Self::Project(project) => keys::shared_views(org, project),
        }
    }

    fn personal(self, org: OrgId, user: UserId) -> KeyOf<Views> {
        match self {
            Self::Organization => keys::personal_org_views(org, user),
            Self::Project(project) => keys::personal_views(org, project, user),
        }
    }

    /// Enters the place with the row of its shared views.
    async fn enter(
        self,
        app: &App,
        caller: Caller<'_>,
        to_change: bool,
    ) -> Result<(Entry, Option<RowOf<Views>>)> {
        let rows = |org| self.shared(org);
        match self {
            Self::Organization if to_change => enter_org_with(app, caller, Capability::Comment, rows).await,
            Self::Organization => enter_org_with(app, caller, Capability::SeeOrg, rows).await,
            Self::Project(project) if to_change => {
                enter_project_with(app, caller, project, Capability::Comment, rows).await
            }
            Self::Project(project) => {
                enter_project_with(app, caller, project, Capability::SeeProject, rows).await
            }
        }
    }
}

/// A view as a caller sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenView {
    /// The view.
    pub view: SavedView,
    /// Whether others see it.
    pub shared: bool,
    /// Whether the caller may change and delete it.
    pub can_edit: bool,
}

/// A view to make.
#[derive(Clone, Debug, Default)]
pub struct NewView {
    /// Name.
    pub name: String,
    /// Whether others are to see it.
    pub shared: bool,
    /// Terms that items must match.
    pub filter: String,
    /// Words that items contain.
    pub q: Option<String>,
    /// The order.
    pub sort: Option<String>,
    /// The field by which apps group the items.
    pub group: Option<String>,
    /// How apps show the items.
    pub layout: Option<Layout>,
}

/// A wanted change of a view; `None` leaves a field.
#[derive(Clone, Debug, Default)]
pub struct UpdateView {
    /// The version last read.
    pub version: u64,
    /// New name.
    pub name: Option<String>,
    /// Whether others are to see it.
    pub shared: Option<bool>,
    /// New terms.
    pub filter: Option<String>,
    /// New words; `Some(None)` for none.
    pub q: Option<Option<String>>,
    /// New order; `Some(None)` for the list's own.
    pub sort: Option<Option<String>>,
    /// New field to group by; `Some(None)` for none.
    pub group: Option<Option<String>>,
    /// New way to show the items; `Some(None)` for a list.
    pub layout: Option<Option<Layout>>,
}

/// A row of views, as read and as it is to be.
struct Shelf {
    key: Key,
    version: Option<u64>,
    before: Views,
    views: Views,
}

impl Shelf {
    fn of(key: impl Into<Key>, row: Option<&Row>) -> Result<Self> {
        let before: Views = row.map(Row::read).transpose()?.unwrap_or_default();
        Ok(Self { key: key.into(), version: row.map(|row| row.version), views: before.clone(), before })
    }

    fn is_changed(&self) -> bool {
        self.views != self.before
    }

    fn op(self) -> Option<Op> {
        let condition = self.version.map_or(Condition::Absent, Condition::Version);
        self.is_changed().then(|| Op::put(self.key, condition, &self.views))
    }
}

/// The shared views and the caller's own.
struct Shelves {
    shared: Shelf,
    own: Shelf,
    /// A shared view that is deleted.
    gone: Option<SavedView>,
}

impl Shelves {
    /// Reads them; agents have none of their own. To those who do not see what others share, nothing is shared.
    async fn read(
        app: &App,
        entry: &Entry,
        place: ViewsOf<'_>,
        shared: Option<RowOf<Views>>,
    ) -> Result<(Shelf, Option<Shelf>)> {
        let org = entry.org_id();
        let shared = shared.filter(|_| sees_shared(&entry.access));
        let shared = Shelf::of(place.shared(org), shared.as_deref())?;
        let Some(user) = entry.access.user() else { return Ok((shared, None)) };
        let key = place.personal(org, user);
        let row = app.table.find(&key).await?;
        Ok((shared, Some(Shelf::of(key, row.as_deref())?)))
    }

    /// The shelf that new views of this kind belong to.
    fn of(&mut self, shared: bool) -> &mut Views {
        if shared { &mut self.shared.views } else { &mut self.own.views }
    }

    /// A view that the caller may change, and whether it is shared.
    fn editable(&self, id: ViewId, access: &Access) -> Result<(SavedView, bool), Refusal> {
        if let Some(view) = self.own.views.get(id) {
            return Ok((view.clone(), false));
        }
        let view = self.shared.views.get(id).ok_or(Refusal::NotFound)?;
        view.require_edit(access)?;
        Ok((view.clone(), true))
    }
}

fn seen(view: SavedView, shared: bool, access: &Access) -> SeenView {
    let can_edit = if shared { view.require_edit(access).is_ok() } else { access.may(Capability::Comment) };
    SeenView { view, shared, can_edit }
}

/// The caller's own views of a place and those that are shared there, each in the order in which they were created.
///
/// # Errors
/// [`Refusal::NotFound`].
pub async fn list(app: &App, caller: Caller<'_>, place: ViewsOf<'_>) -> Result<Vec<SeenView>> {
    let (entry, shared) = place.enter(app, caller, false).await?;
    let (shared, own) = Shelves::read(app, &entry, place, shared).await?;
    let own = own.map(|shelf| shelf.views.0).unwrap_or_default().into_iter().map(|view| (view, false));
    let all = own.chain(shared.views.0.into_iter().map(|view| (view, true)));
    let mut all: Vec<SeenView> = all.map(|(view, shared)| seen(view, shared, &entry.access)).collect();
    bring_up_to_date(app, entry.org_id(), all.iter_mut().map(|seen| &mut seen.view.created_by)).await?;
    Ok(all)
}

/// Saves a view.
///
/// # Errors
/// What [`Views::put`] and, of one that is shared, [`require_share`] refuse.
pub async fn create(app: &App, caller: Caller<'_>, place: ViewsOf<'_>, new: &NewView) -> Result<SeenView> {
    let id = ViewId(app.uuid());
    change(app, caller, place, |shelves, access| {
        if new.shared {
            require_share(access)?;
        }
        let view = SavedView {
            id,
            version: 1,
            name: new.name.trim().to_owned(),
            filter: new.filter.trim().to_owned(),
            q: words(new.q.as_ref()),
            sort: new.sort.clone(),
            group: new.group.clone(),
            layout: new.layout,
            created_by: access.actor.clone(),
        };
        shelves.of(new.shared).put(view.clone())?;
        Ok(seen(view, new.shared, access))
    })
    .await
}

/// Changes a view.
///
/// # Errors
/// [`Refusal::NotFound`], [`Refusal::StaleVersion`], [`Refusal::Forbidden`]; what [`Views::put`] refuses.
pub async fn update(
    app: &App,
    caller: Caller<'_>,
    place: ViewsOf<'_>,
    id: ViewId,
    update: &UpdateView,
) -> Result<SeenView> {
    change(app, caller, place, |shelves, access| {
        let (old, was_shared) = shelves.editable(id, access)?;
        require_version(update.version, old.version)?;
        let shared = update.shared.unwrap_or(was_shared);
        if shared != was_shared {
            require_move(&old, shared, access)?;
            shelves.of(was_shared).take(id);
        }
        let mut new = changed(&old, update);
        if new != old || shared != was_shared {
            new.version += 1;
        }
        shelves.of(shared).put(new.clone())?;
        Ok(seen(new, shared, access))
    })
    .await
}

/// Whether the caller may share a view, or take it back.
fn require_move(view: &SavedView, shared: bool, access: &Access) -> Result<(), Refusal> {
    if shared {
        return require_share(access);
    }
    if view.created_by.id == access.actor.id {
        return Ok(());
    }
    Err(Refusal::Forbidden("only the person who created a view can make it personal"))
}

fn changed(old: &SavedView, update: &UpdateView) -> SavedView {
    let mut new = old.clone();
    if let Some(name) = &update.name {
        name.trim().clone_into(&mut new.name);
    }
    if let Some(filter) = &update.filter {
        filter.trim().clone_into(&mut new.filter);
    }
    if let Some(q) = &update.q {
        new.q = words(q.as_ref());
    }
    if let Some(sort) = &update.sort {
        new.sort.clone_from(sort);
    }
    if let Some(group) = &update.group {
        new.group.clone_from(group);
    }
    if let Some(layout) = update.layout {
        new.layout = layout;
    }
    new
}

/// Words to look for, if there are any.
fn words(q: Option<&String>) -> Option<String> {
    q.map(|q| q.trim().to_owned()).filter(|q| !q.is_empty())
}

/// Deletes a view.
///
/// # Errors
/// [`Refusal::NotFound`], [`Refusal::Forbidden`].
pub async fn delete(app: &App, caller: Caller<'_>, place: ViewsOf<'_>, id: ViewId) -> Result<()> {
    change(app, caller, place, |shelves, access| {
        let (_, shared) = shelves.editable(id, access)?;
        shelves.gone = shelves.of(shared).take(id).filter(|_| shared);
        Ok(())
    })
    .await
}

/// Loads the views, changes them and stores those that changed.
async fn change<T>(
    app: &App,
    caller: Caller<'_>,
    place: ViewsOf<'_>,
    change: impl Fn(&mut Shelves, &Access) -> Result<T, Refusal>,
) -> Result<T> {
    app.decide(|| async {
        let (entry, shared) = place.enter(app, caller, true).await?;
        require_person(&entry.access)?;
        let (shared, own) = Shelves::read(app, &entry, place, shared).await?;
        let mut shelves = Shelves { shared, own: own.ok_or(Refusal::NotFound)?, gone: None };
        let answer = change(&mut shelves, &entry.access)?;
        let told = shelves.shared.is_changed();
        let ops: Vec<Op> = [shelves.shared.op(), shelves.own.op()].into_iter().flatten().collect();
        if !ops.is_empty() {
            let mut transaction = Transaction::of(app, &entry).with(ops);
            match place {
                _ if !told => {}
                ViewsOf::Organization => transaction.tell(OrgEvent::SharedViewsChanged),
                ViewsOf::Project(project) => {
                    transaction.tell(ProjectEvent::SharedViewsChanged(project.clone()));
                }
            }
            match (place, shelves.gone) {
                (_, None) => {}
                (ViewsOf::Organization, Some(SavedView { id, name, .. })) => {
                    transaction.tell(OrgEvent::ViewDeleted(id, name));
                }
                (ViewsOf::Project(project), Some(SavedView { id, name, .. })) => {
                    transaction.tell(ProjectEvent::ViewDeleted(project.clone(), id, name));
                }
            }
            app.commit(transaction).await?;
        }
        Ok(answer)
    })
    .await
}

/// Gives every view of the project the new name of what got one. Doing it again is harmless.
pub(super) async fn follow(app: &App, org: OrgId, project: &ProjectKey, what: &What) -> Result<()> {
    let all = Query::new(keys::project_pk(org, project), Range::Prefix(keys::SHARED_VIEWS.to_owned()), 100);
    for row in app.table.query_all(all).await? {
        if row.read::<Views>()?.follow(what) {
            app.decide(|| follow_one(app, org, project, &row.key, what)).await?;
        }
    }
    Ok(())
}

async fn follow_one(app: &App, org: OrgId, project: &ProjectKey, key: &Key, what: &What) -> Result<()> {
    let row = app.table.get(key).await?;
    let mut shelf = Shelf::of(key.clone(), row.as_ref())?;
    if !shelf.views.follow(what) {
        return Ok(());
    }
    let mut transaction = Transaction::by_itself(app, org);
    if *key == keys::shared_views(org, project) {
        transaction.tell(ProjectEvent::SharedViewsChanged(project.clone()));
    }
    app.commit(transaction.with(shelf.op())).await
}
