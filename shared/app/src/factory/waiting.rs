//! What queued runs wait for: their project, their agent or the person who started them may not begin work now, a budget
//! is used up, items that block theirs are open, or runners are away or busy. Such a run stays queued, says why, and can be cancelled.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use svc_domain::access::{Access, may_start_ai_work};
use svc_domain::agent::Agent;
use svc_domain::identity::{Member, Org};
use svc_domain::ids::{ActorId, ItemKey, OrgId, RunId, RunnerId};
use svc_domain::item::Item;
use svc_domain::project::Project;
use svc_domain::refusal::Refusal;
use svc_domain::run::machine::Effect;
use svc_domain::run::waiting::{self, Candidate, Obstacle};
use svc_domain::run::{Named, Run, RunStatus, settle};
use svc_domain::workflow::Workflow;
use svc_storage::{Key, Limits, Op, Row, RowOf, keys};

use super::budgets::Spending;
use super::loaded::LoadedRun;
use super::runners;
use crate::App;
use crate::error::Result;
use crate::identity::ending::is_disabled;
use crate::tracker::item_links;
use crate::visible_projects::visible_projects;
use crate::wanted;

/// What stands between queued runs and their beginning.
#[derive(Debug, Default)]
pub(super) struct WaitingRoom {
    runners: Vec<Candidate>,
    obstacles: BTreeMap<RunId, Obstacle>,
}

impl WaitingRoom {
    /// What the queued ones of these runs wait for, as far as the caller may know.
    pub(super) async fn of(app: &App, access: &Access, runs: &[LoadedRun]) -> Result<Self> {
        let org = access.org;
        let queued: Vec<&Run> =
            runs.iter().map(|loaded| &loaded.run).filter(|run| run.status() == RunStatus::Queued).collect();
        if queued.is_empty() {
            return Ok(Self::default());
        }
        let rows = surroundings(app, org, &queued).await?;
        let spending = Spending::of(app, org).await?;
        let mut obstacles = BTreeMap::new();
        for run in queued {
            let obstacle = match obstacle(org, run, spending.as_ref(), |key| rows.get(key))? {
                Some(obstacle) => Some(obstacle),
                None => blocked(app, access, run, rows.get(&keys::item(org, &run.item))).await?,
            };
            obstacles.extend(obstacle.map(|obstacle| (run.id, obstacle)));
        }
        Ok(Self { runners: runners::candidates(app, org).await?, obstacles })
    }

    /// What a run waits for, for factory operators or for others; `None` for one that does not wait.
    pub(super) fn reason(&self, run: &Run, now: Timestamp, operator: bool) -> Option<String> {
        waiting::reason(run, self.obstacles.get(&run.id), &self.runners, now, operator)
    }

    /// Where a run would begin at once, or what it would wait for.
    pub(super) fn begins_on(&self, run: &Run, now: Timestamp) -> Result<Named<RunnerId>, String> {
        waiting::begins_on(run, self.obstacles.get(&run.id), &self.runners, now)
    }
}

/// What these queued runs wait for, in the words for factory operators of their project.
pub(super) async fn reasons(app: &App, org: OrgId, runs: &[Run]) -> Result<BTreeMap<RunId, String>> {
    let queued: Vec<&Run> = runs.iter().filter(|run| run.status() == RunStatus::Queued).collect();
    if queued.is_empty() {
        return Ok(BTreeMap::new());
    }
    let rows = surroundings(app, org, &queued).await?;
    let (spending, runners) = (Spending::of(app, org).await?, runners::candidates(app, org).await?);
    let mut reasons = BTreeMap::new();
    for run in queued {
        let item: Option<Item> = rows.get(&keys::item(org, &run.item)).map(Row::read).transpose()?;
        let mut obstacle = obstacle(org, run, spending.as_ref(), |key| rows.get(key))?;
        if obstacle.is_none()
            && let Some(item) = item.filter(|item| item.has_open_blocker && run.waits_for_blockers())
        {
            // The reader may not see other projects.
            let mut open = item_links::open_blockers(app, org, &item).await?;
            open.retain(|key| key.project == item.key.project);
            obstacle = Some(Obstacle::Blocked(open));
        }
        let reason = waiting::reason(run, obstacle.as_ref(), &runners, app.now(), true);
        reasons.extend(reason.map(|reason| (run.id, reason)));
    }
    Ok(reasons)
}

/// Items, places and starters of runs.
async fn surroundings(app: &App, org: OrgId, runs: &[&Run]) -> Result<BTreeMap<Key, Row>> {
    let items = runs.iter().map(|run| keys::item(org, &run.item).into());
    let wanted: BTreeSet<Key> = runs.iter().flat_map(|run| places(org, run)).chain(items).collect();
    let wanted: Vec<Key> = wanted.into_iter().collect();
    let mut rows = BTreeMap::new();
    for chunk in wanted.chunks(Limits::KEYS) {
        let found = app.table.get_many(chunk).await?;
        rows.extend(found.into_iter().flatten().map(|row| (row.key.clone(), row)));
    }
    Ok(rows)
}

/// Which of these queued runs no runner can begin now, asked for all of them at once; [`Limits::KEYS`] at most.
pub(super) async fn stuck(app: &App, org: OrgId, ids: &[RunId]) -> Result<BTreeSet<RunId>> {
    let rows = wanted::load(app, ids.iter().map(|id| keys::run(org, *id)).collect::<Vec<_>>()).await?;
    let runs = rows.iter().flatten().map(RowOf::read).collect::<Result<Vec<Run>, _>>()?;
    let queued: Vec<&Run> = runs.iter().filter(|run| run.status() == RunStatus::Queued).collect();
    let rows = surroundings(app, org, &queued).await?;
    let spending = Spending::of(app, org).await?;
    let mut stuck: BTreeSet<RunId> = ids.iter().copied().collect();
    for run in queued {
        let item: Option<Item> = rows.get(&keys::item(org, &run.item)).map(Row::read).transpose()?;
        let item_lets = item.is_none_or(|mut item| {
            let (begin, stale) = ([Effect::ClaimItem], app.settings.claims.stale_after());
            settle::apply(&mut item, run, &begin, &Workflow::default(), app.now(), stale).is_ok()
        });
        if item_lets && obstacle(org, run, spending.as_ref(), |key| rows.get(key))?.is_none() {
            stuck.remove(&run.id);
        }
    }
    Ok(stuck)
}

/// The items that keep a run from beginning because they block its own.
async fn blocked(app: &App, access: &Access, run: &Run, item: Option<&Row>) -> Result<Option<Obstacle>> {
    let item: Option<Item> = item.map(Row::read).transpose()?;
    match item.filter(|item| item.has_open_blocker && run.waits_for_blockers()) {
        Some(item) => Ok(Some(Obstacle::Blocked(blockers(app, access, &item).await?))),
        None => Ok(None),
    }
}

/// The open items that block this one, as far as the caller sees them.
pub(super) async fn blockers(app: &App, access: &Access, item: &Item) -> Result<Vec<ItemKey>> {
    if !item.has_open_blocker {
        return Ok(Vec::new());
    }
    let mut open = item_links::open_blockers(app, access.org, item).await?;
    let projects = open.iter().map(|key| key.project.clone()).collect();
    let visible = visible_projects(app, access, projects).await?;
    open.retain(|key| visible.contains_key(&key.project));
    Ok(open)
}

/// What the commit that begins a run demands of its place, its agent and the person who started it. Of its item, that is
/// for [`svc_domain::run::settle`].
///
/// # Errors
/// [`Refusal::RunState`] where nothing begins now.
pub(super) async fn may_begin(
    app: &App,
    org: OrgId,
    run: &Run,
    spending: Option<&Spending>,
) -> Result<Vec<Op>> {
    let rows = app.table.get_many(&places(org, run)).await?;
    let found = |key: &Key| rows.iter().flatten().find(|row| row.key == *key);
    if let Some(obstacle) = obstacle(org, run, spending, found)? {
        return Err(Refusal::RunState(obstacle.why()).into());
    }
    let check = |row: &Row| row.unchanged();
    Ok(rows.iter().flatten().map(check).chain(spending.map(Spending::gate)).collect())
}

/// The organization, the project and the agent of a run; then, of the person who started it, whether their account is
/// disabled, and the memberships in the organization and in the project.
fn places(org: OrgId, run: &Run) -> Vec<Key> {
    let project = &run.item.project;
    let mut places: Vec<Key> = vec![
        keys::org(org).into(),
        keys::project(org, project).into(),
        keys::agent(org, run.agent.id).into(),
    ];
    if let ActorId::User(user) = run.requested_by.id {
        let in_project = keys::project_member(org, project, user).into();
        places.extend([keys::sessions(user).into(), keys::member(org, user).into(), in_project]);
    }
    places
}

/// What keeps a run from beginning, by the rows of its [`places`] and the budgets.
fn obstacle<'a>(
    org: OrgId,
    run: &Run,
    spending: Option<&Spending>,
    row: impl Fn(&Key) -> Option<&'a Row>,
) -> Result<Option<Obstacle>> {
    let key = &run.item.project;
    let place: Option<Org> = row(&keys::org(org)).map(Row::read).transpose()?;
    let project: Option<Project> = row(&keys::project(org, key)).map(Row::read).transpose()?;
    let agent: Option<Agent> = row(&keys::agent(org, run.agent.id)).map(Row::read).transpose()?;
    let permitted = match run.requested_by.id {
        ActorId::User(user) => {
            let member: Option<Member> = row(&keys::member(org, user)).map(Row::read).transpose()?;
            let in_project = row(&keys::project_member(org, key, user)).is_some();
            let may = member.is_some_and(|member| may_start_ai_work(&member, in_project));
            may && !is_disabled(row(&keys::sessions(user)))?
        }
        ActorId::Agent(_) => true,
    };
    let over = || spending.and_then(|spending| spending.over(run)).map(Obstacle::OverBudget);
    Ok(Obstacle::of(place.as_ref(), project.as_ref(), agent.as_ref(), permitted).or_else(over))
}
