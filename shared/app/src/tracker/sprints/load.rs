//! Finds sprints, and says of them what follows from their items.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use svc_domain::access::Capability;
use svc_domain::event::SprintRef;
use svc_domain::feed::FeedIndex;
use svc_domain::ids::{Actor, OrgId, ProjectKey, SprintId};
use svc_domain::refusal::Refusal;
use svc_domain::sprint::{Event, Planned, Register, Sprint, Work, step};
use svc_domain::team::Team;
use svc_domain::workflow::Workflow;
use svc_storage::{KeyOf, Op, Query, Range, Row, RowOf, StorageError, keys};

use crate::App;
use crate::entry::{Caller, Entry, authenticate, enter_by_id};
use crate::error::Result;
use crate::identity::bring_up_to_date;
use crate::wanted::Wanted;

/// A sprint as callers see it.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenSprint {
    /// Its project.
    pub project: ProjectKey,
    /// The sprint.
    pub sprint: Sprint,
    /// Its version.
    pub version: u64,
    /// Its team.
    pub team: Team,
    /// What is in it; of a completed one, what was in it at its end.
    pub work: Work,
}

/// Where a sprint is: the row for addresses that name only the sprint.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Place {
    pub(crate) org: OrgId,
    pub(crate) project: ProjectKey,
}

/// A sprint on the way through a use case.
pub(super) struct Found {
    /// The caller.
    pub(super) entry: Entry,
    pub(super) project: ProjectKey,
    pub(super) sprint: Sprint,
    pub(super) version: u64,
    pub(super) workflow: Arc<Workflow>,
}

/// Finds a sprint by its id and enters its project.
///
/// # Errors
/// [`Refusal::NotFound`] for what there is not or the caller must not know of, or is elsewhere.
pub(super) async fn find(
    app: &App,
    caller: Caller<'_>,
    id: SprintId,
    capability: Capability,
) -> Result<Found> {
    Ok(find_with(app, caller, id, capability, |_, _| ()).await?.0)
}

/// As [`find`], and loads rows of the project in the same round trip.
///
/// # Errors
/// As there.
pub(super) async fn find_with<W: Wanted>(
    app: &App,
    caller: Caller<'_>,
    id: SprintId,
    capability: Capability,
    wanted: impl Fn(OrgId, &ProjectKey) -> W,
) -> Result<(Found, W::Rows)> {
    authenticate(app, caller.credential).await?;
    let row = app.table.get(&keys::sprint_ref(id)).await?.ok_or(Refusal::NotFound)?;
    let Place { org, project } = row.read()?;
    let wanted =
        |org| (keys::sprint(org, &project, id), keys::workflow(org, &project), wanted(org, &project));
    let (entry, (row, workflow, rows)) =
        enter_by_id(app, caller.credential, org, Some(&project), wanted).await?;
    if !entry.access.sees_project() || entry.org.slug != *caller.org {
        return Err(Refusal::NotFound.into());
    }
    entry.access.require(capability)?;
    let row = row.ok_or(Refusal::NotFound)?;
    let workflow = app.parse_cache.workflow(workflow)?;
    Ok((Found { entry, project, sprint: row.read()?, version: row.version, workflow }, rows))
}

/// A sprint as events name it.
pub(super) fn named(project: &ProjectKey, sprint: &Sprint) -> SprintRef {
    SprintRef { project: project.clone(), id: sprint.id, name: sprint.name.clone() }
}

impl Found {
    /// The sprint as events name it.
    pub(super) fn named(&self) -> SprintRef {
        named(&self.project, &self.sprint)
    }

    /// The sprint to be shown, with the work that is in it now.
    pub(super) async fn seen(mut self, app: &App) -> Result<SeenSprint> {
        let org = self.entry.org_id();
        bring_up_to_date(app, org, who_completed(&mut self.sprint)).await?;
        let team = team_of(app, org, &self.project, &self.sprint).await?;
        let work = match &self.sprint.completion {
            Some(completion) => completion.work,
            None => {
                let feed = app.feeds.fresh(app, org, &self.project).await?;
                let index = feed.read();
                work_in(&index, self.sprint.id, &self.workflow)
            }
        };
        Ok(SeenSprint { project: self.project, sprint: self.sprint, version: self.version, team, work })
    }
}

/// Who completed a sprint, if it is.
pub(super) fn who_completed(sprint: &mut Sprint) -> impl Iterator<Item = &mut Actor> {
    sprint.completion.iter_mut().map(|completion| &mut completion.by)
}

/// The team of a sprint, which is there as long as the sprint is.
pub(super) async fn team_of(app: &App, org: OrgId, project: &ProjectKey, sprint: &Sprint) -> Result<Team> {
    let key = keys::team(org, project, sprint.team);
    let row = app.table.get(&key).await?;
    Ok(row.ok_or_else(|| StorageError::Corrupt(format!("{}: no team {}", key.pk, key.sk)))?.read()?)
}

/// The work of the items that are in a sprint now.
pub(super) fn work_in(index: &FeedIndex, sprint: SprintId, workflow: &Workflow) -> Work {
    let items: Vec<Planned> = index.of_sprint(&sprint.to_string()).into_iter().map(Planned::listed).collect();
    Work::of(&items, workflow)
}

/// Every sprint of a project and its version.
pub(in crate::tracker) async fn all(
    app: &App,
    org: OrgId,
    project: &ProjectKey,
) -> Result<Vec<(Sprint, u64)>> {
    let range = Range::Prefix(keys::SPRINT_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::project_pk(org, project), range, 1_000)).await?;
    let read = |row: &Row| Ok((row.read()?, row.version));
    Ok(rows.iter().map(read).collect::<Result<_, StorageError>>()?)
}

/// The row of the sprint that an item names.
pub(crate) fn row_of(org: OrgId, project: &ProjectKey, sprint: &str) -> Option<KeyOf<Sprint>> {
    sprint.parse().ok().map(|id| keys::sprint(org, project, id))
}

/// The name of the sprint that an item names, for the history. One that is gone has its id.
pub(crate) async fn name_of(app: &App, org: OrgId, project: &ProjectKey, id: &str) -> Result<String> {
    let row = match row_of(org, project, id) {
        Some(key) => app.table.find(&key).await?,
        None => None,
    };
    let sprint: Option<Sprint> = row.map(|row| row.read()).transpose()?;
    Ok(sprint.map_or_else(|| id.to_owned(), |sprint| sprint.name))
}

/// A sprint that items may be planned into, and what must hold when they are: that it is still so.
///
/// # Errors
/// [`Refusal::Conflict`] when it is completed.
pub(crate) fn open(row: &RowOf<Sprint>) -> Result<(Sprint, Op)> {
    let sprint: Sprint = row.read()?;
    step(sprint.state, Event::Plan)?;
    Ok((sprint, row.unchanged()))
}

/// What `sprint:current` means, by the register's row.
pub(crate) fn current(register: Option<&RowOf<Register>>) -> Result<Vec<String>> {
    let register = register.map(RowOf::read).transpose()?;
    Ok(register.unwrap_or_default().current())
}

/// Agents work on items; people plan sprints.
pub(super) fn refuse_agents(entry: &Entry) -> Result<(), Refusal> {
    if entry.actor().id.is_agent() {
        return Err(Refusal::Forbidden("only people can plan, start and complete sprints"));
    }
    Ok(())
}
