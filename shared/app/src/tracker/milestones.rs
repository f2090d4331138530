//! The milestones of a project, with how far their items are.
//!
//! Protocol. All milestones of a project are one row. Who gives an item a milestone demands that row as it was read, so
//! that no item gets one that is closed or deleted at the same time. Deleting one begins its replacement by none in
//! the same commit ([`super::replacements`]), which takes it off its items, however many there are.

use std::cmp::Reverse;

use jiff::Timestamp;
use jiff::civil::Date;
use svc_domain::access::Capability;
use svc_domain::event::ProjectEvent;
use svc_domain::feed::FeedIndex;
use svc_domain::ids::{MilestoneId, OrgId, ProjectKey};
use svc_domain::item::{FieldChange, Item, MILESTONE};
use svc_domain::milestone::{Milestone, MilestoneState, Milestones, Progress};
use svc_domain::name::check_given;
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_domain::replacement::What;
use svc_domain::workflow::Workflow;
use svc_storage::{Condition, Op, RowOf, StorageError, keys};

use super::replacements::Begun;
use crate::App;
use crate::entry::{Caller, Entry, enter_project_with};
use crate::error::Result;
use crate::transaction::Transaction;

/// A milestone, and how far its items are.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenMilestone {
    /// The milestone.
    pub milestone: Milestone,
    /// Progress of its items.
    pub progress: Progress,
}

impl SeenMilestone {
    fn of(milestone: Milestone, index: &FeedIndex, workflow: &Workflow) -> Self {
        Self { progress: Progress::of(index.of_milestone(milestone.id), workflow), milestone }
    }
}

/// A milestone to make.
#[derive(Clone, Debug)]
pub struct NewMilestone {
    /// Name.
    pub name: String,
    /// What it is about.
    pub description: String,
    /// The day by which its items should be done.
    pub due: Option<Date>,
}

/// A wanted change of a milestone; `None` leaves a field.
#[derive(Clone, Debug)]
pub struct UpdateMilestone {
    /// The version last read.
    pub version: u64,
    /// New name.
    pub name: Option<String>,
    /// New description.
    pub description: Option<String>,
    /// New day; `Some(None)` takes it away.
    pub due: Option<Option<Date>>,
    /// New state.
    pub state: Option<MilestoneState>,
}

/// The milestones that a row tells of.
fn milestones_of(row: Option<&RowOf<Milestones>>) -> Result<Milestones, StorageError> {
    RowOf::or_default(row)
}

/// The milestones of a project.
///
/// # Errors
/// Those of storage.
pub(super) async fn of_project(app: &App, org: OrgId, project: &ProjectKey) -> Result<Milestones> {
    Ok(milestones_of(app.table.find(&keys::milestones(org, project)).await?.as_ref())?)
}

/// The milestones of a project: open ones by their day, then closed ones, the last first.
///
/// # Errors
/// [`Refusal::NotFound`].
pub async fn list(app: &App, caller: Caller<'_>, project: &ProjectKey) -> Result<Vec<SeenMilestone>> {
    let Loaded { entry, mut milestones, workflow, .. } =
        enter(app, caller, project, Capability::SeeProject).await?;
    milestones.0.sort_by_key(|of| {
        (of.closed_at.map(Reverse), of.due.is_none(), of.due, Reverse(of.created_at), of.id)
    });
    let workflow = app.parse_cache.workflow(workflow)?;
    let feed = app.feeds.fresh(app, entry.org_id(), project).await?;
    let index = feed.read();
    Ok(milestones.0.into_iter().map(|of| SeenMilestone::of(of, &index, &workflow)).collect())
}

/// A milestone.
///
/// # Errors
/// [`Refusal::NotFound`].
pub async fn get(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    id: MilestoneId,
) -> Result<SeenMilestone> {
    let loaded = enter(app, caller, project, Capability::SeeProject).await?;
    let milestone = loaded.milestones.get(id).cloned().ok_or(Refusal::NotFound)?;
    seen(app, loaded, project, milestone).await
}

/// Makes a milestone.
///
/// # Errors
/// What [`Milestones::put`] refuses.
pub async fn create(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    new: &NewMilestone,
) -> Result<SeenMilestone> {
    let made = Milestone {
        id: MilestoneId(app.uuid()),
        version: 1,
        name: new.name.trim().to_owned(),
        description: new.description.clone(),
        due: new.due,
        created_at: app.now(),
        closed_at: None,
    };
    change(app, caller, project, |milestones| {
        check_given("name", &made.name, None)?;
        milestones.put(made.clone())
    })
    .await?;
    Ok(SeenMilestone { milestone: made, progress: Progress::default() })
}

/// Changes a milestone, closes it or opens it again.
///
/// # Errors
/// [`Refusal::NotFound`], [`Refusal::StaleVersion`]; what [`Milestones::put`] refuses.
pub async fn update(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    id: MilestoneId,
    update: &UpdateMilestone,
) -> Result<SeenMilestone> {
    let (loaded, milestone, begun) = app.decide(|| update_once(app, caller, project, id, update)).await?;
    if let Some(begun) = begun {
        begun.carry_out(app).await;
    }
    seen(app, loaded, project, milestone).await
}

/// Saved views follow a new name.
async fn update_once(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    id: MilestoneId,
    update: &UpdateMilestone,
) -> Result<(Loaded, Milestone, Option<Begun>)> {
    let mut loaded = enter(app, caller, project, Capability::Work).await?;
    let old = loaded.milestones.get(id).ok_or(Refusal::NotFound)?.clone();
    if old.version != update.version {
        return Err(Refusal::StaleVersion { current: old.version }.into());
    }
    let mut new = changed(&old, update, app.now());
    if new == old {
        return Ok((loaded, new, None));
    }
    new.version += 1;
    check_given("name", &new.name, Some(&old.name))?;
    loaded.milestones.put(new.clone())?;
    let mut transaction = loaded.store(app, project);
    let renamed = new.name != old.name;
    let begun = renamed.then(|| {
        let what = What::MilestoneName { from: old.name, to: new.name.clone() };
        Begun::new(app, &loaded.entry, project, vec![what])
    });
    if let Some(begun) = &begun {
        begun.begin(&mut transaction);
    }
    app.commit(transaction).await?;
    Ok((loaded, new, begun))
}

fn changed(old: &Milestone, update: &UpdateMilestone, now: Timestamp) -> Milestone {
    Milestone {
        name: update.name.as_deref().unwrap_or(&old.name).trim().to_owned(),
        description: update.description.as_ref().unwrap_or(&old.description).clone(),
        due: update.due.unwrap_or(old.due),
        closed_at: match update.state {
            Some(MilestoneState::Closed) => old.closed_at.or(Some(now)),
            Some(MilestoneState::Open) => None,
            None => old.closed_at,
        },
        ..old.clone()
    }
}

/// Deletes a milestone. Its items stay, and belong to none.
///
/// # Errors
/// [`Refusal::NotFound`].
pub async fn delete(app: &App, caller: Caller<'_>, project: &ProjectKey, id: MilestoneId) -> Result<()> {
    let begun = app
        .decide(|| async {
            let mut loaded = enter(app, caller, project, Capability::Work).await?;
            let gone = loaded.milestones.remove(id)?;
            let deleted = ProjectEvent::MilestoneDeleted(project.clone(), id, gone.name.clone());
            let what = What::Milestone { id, name: gone.name };
            let begun = Begun::new(app, &loaded.entry, project, vec![what]);
            let mut transaction = loaded.store(app, project).telling(deleted);
            begun.begin(&mut transaction);
            app.commit(transaction).await?;
            Ok(begun)
        })
        .await?;
    begun.carry_out(app).await;
    Ok(())
}

/// The milestones of a project on the way through a use case.
struct Loaded {
    entry: Entry,
    milestones: Milestones,
    /// What must hold of their row when they are written.
    unchanged: Condition,
    workflow: Option<RowOf<Workflow>>,
}

impl Loaded {
    /// The transaction that stores the milestones in place of those that were read.
    fn store(&self, app: &App, project: &ProjectKey) -> Transaction {
        let key = keys::milestones(self.entry.org_id(), project);
        let row = Op::put(key, self.unchanged, &self.milestones);
        let changed = ProjectEvent::MilestonesChanged(project.clone());
        Transaction::of(app, &self.entry).with([row]).telling(changed)
    }
}

/// Enters the project with its milestones and its workflow. Agents change none.
async fn enter(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    capability: Capability,
) -> Result<Loaded> {
    let wanted = |org| (keys::milestones(org, project), keys::workflow(org, project));
    let (entry, (row, workflow)) = enter_project_with(app, caller, project, capability, wanted).await?;
    if capability.changes() && entry.actor().id.is_agent() {
        return Err(Refusal::Forbidden("only people can plan milestones").into());
    }
    let unchanged = row.as_ref().map_or(Condition::Absent, |row| Condition::Version(row.version));
    Ok(Loaded { entry, milestones: milestones_of(row.as_ref())?, unchanged, workflow })
}

/// Loads the milestones, changes them and stores them all.
async fn change<T>(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    change: impl Fn(&mut Milestones) -> Result<T, Refusal>,
) -> Result<T> {
    app.decide(|| async {
        let mut loaded = enter(app, caller, project, Capability::Work).await?;
        let before = loaded.milestones.clone();
        let answer = change(&mut loaded.milestones)?;
        if loaded.milestones != before {
            app.commit(loaded.store(app, project)).await?;
        }
        Ok(answer)
    })
    .await
}

async fn seen(
    app: &App,
    Loaded { entry, workflow, .. }: Loaded,
    project: &ProjectKey,
    milestone: Milestone,
) -> Result<SeenMilestone> {
    let workflow = app.parse_cache.workflow(workflow)?;
    let feed = app.feeds.fresh(app, entry.org_id(), project).await?;
    let index = feed.read();
    Ok(SeenMilestone::of(milestone, &index, &workflow))
}

/// The milestone that an item is to have, if it is to have one, and what must hold when the item is written. `row` is
/// that of the project's milestones.
///
/// # Errors
/// Those of storage.
pub(super) fn chosen(
    row: Option<&RowOf<Milestones>>,
    wanted: Option<&str>,
    has: Option<MilestoneId>,
    errors: &mut FieldErrors,
) -> Result<Option<(MilestoneId, Op)>> {
    let Some(wanted) = wanted else { return Ok(None) };
    match milestones_of(row)?.choose(wanted, has) {
        Ok(id) => Ok(row.map(|row| (id, row.unchanged()))),
        Err(why) => {
            errors.add(MILESTONE, why);
            Ok(None)
        }
    }
}

/// Puts the names of milestones in the place of their ids in what changed of an item.
///
/// # Errors
/// Those of storage.
pub(super) fn name_in(changes: &mut [FieldChange], row: Option<&RowOf<Milestones>>) -> Result<()> {
    let Some(change) = changes.iter_mut().find(|change| change.field == MILESTONE) else { return Ok(()) };
    let milestones = milestones_of(row)?;
    for value in [&mut change.from, &mut change.to].into_iter().flatten() {
        if let Some(known) = value.parse().ok().and_then(|id| milestones.get(id)) {
            value.clone_from(&known.name);
        }
    }
    Ok(())
}

/// The name of a milestone, for the history. One that is gone has its id.
///
/// # Errors
/// Those of storage.
pub(super) async fn name_of(app: &App, org: OrgId, project: &ProjectKey, id: MilestoneId) -> Result<String> {
    let row = app.table.find(&keys::milestones(org, project)).await?;
    let milestones = milestones_of(row.as_ref())?;
    Ok(milestones.get(id).map_or_else(|| id.to_string(), |known| known.name.clone()))
}

/// Takes a milestone that is gone from an item that comes back. Answers what must hold when the item is written.
///
/// # Errors
/// Those of storage.
pub(super) async fn keep_if_there(app: &App, org: OrgId, item: &mut Item) -> Result<Option<Op>> {
    let Some(milestone) = item.milestone.take() else { return Ok(None) };
    let Some(row) = app.table.find(&keys::milestones(org, &item.key.project)).await? else { return Ok(None) };
    if milestones_of(Some(&row))?.get(milestone).is_none() {
        return Ok(None);
    }
    item.milestone = Some(milestone);
    Ok(Some(row.unchanged()))
}
