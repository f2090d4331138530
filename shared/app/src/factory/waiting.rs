//! What queued runs wait for: their project, their agent or the person who started them may not begin work now, or
//! runners are away or busy. Such a run stays queued, says why, and can be cancelled.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use svc_domain::access::is_factory_operator;
use svc_domain::agent::Agent;
use svc_domain::identity::{Member, Org};
use svc_domain::ids::{ActorId, OrgId, RunId, RunnerId};
use svc_domain::project::Project;
use svc_domain::refusal::Refusal;
use svc_domain::run::waiting::{self, Candidate, Obstacle};
use svc_domain::run::{Named, Run, RunStatus};
use svc_storage::{Condition, Key, Limits, Op, Row, keys};

use super::budgets::Spending;
use super::change::LoadedRun;
use super::runners;
use crate::App;
use crate::error::Result;

/// What stands between queued runs and their beginning.
#[derive(Debug, Default)]
pub(super) struct WaitingRoom {
    runners: Vec<Candidate>,
    obstacles: BTreeMap<RunId, Obstacle>,
}

impl WaitingRoom {
    /// What those of the runs wait for that are queued.
    pub(super) async fn of(app: &App, org: OrgId, runs: &[LoadedRun]) -> Result<Self> {
        let queued: Vec<&Run> =
            runs.iter().map(|loaded| &loaded.run).filter(|run| run.status() == RunStatus::Queued).collect();
        if queued.is_empty() {
            return Ok(Self::default());
        }
        let wanted: BTreeSet<Key> = queued.iter().flat_map(|run| places(org, run)).collect();
        let wanted: Vec<Key> = wanted.into_iter().collect();
        let mut rows: BTreeMap<&Key, Row> = BTreeMap::new();
        for chunk in wanted.chunks(Limits::KEYS) {
            let found = app.table.get_many(chunk).await?;
            rows.extend(chunk.iter().zip(found).filter_map(|(key, row)| Some((key, row?))));
        }
        let spending = Spending::of(app, org).await?;
        let mut obstacles = BTreeMap::new();
        for run in queued {
            let obstacle = obstacle(org, run, spending.as_ref(), |key| rows.get(key))?;
            obstacles.extend(obstacle.map(|obstacle| (run.id, obstacle)));
        }
        Ok(Self { runners: runners::candidates(app, org).await?, obstacles })
    }

    /// What a run waits for, for factory operators or for others; `None` for one that does not wait.
    pub(super) fn reason(&self, run: &Run, now: Timestamp, operator: bool) -> Option<String> {
        waiting::reason(run, self.obstacles.get(&run.id).copied(), &self.runners, now, operator)
    }

    /// Where a run would begin at once, or what it would wait for.
    pub(super) fn begins_on(&self, run: &Run, now: Timestamp) -> Result<Named<RunnerId>, String> {
        waiting::begins_on(run, self.obstacles.get(&run.id).copied(), &self.runners, now)
    }
}

/// What the commit that begins a run demands of its place, its agent and the person who started it.
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
    let check = |row: &Row| Op::check(row.key.clone(), Condition::Version(row.version));
    Ok(rows.iter().flatten().map(check).chain(spending.map(Spending::gate)).collect())
}

/// The organization, the project and the agent of a run; then the memberships of the person who started it, in the
/// organization and in the project.
fn places(org: OrgId, run: &Run) -> Vec<Key> {
    let project = &run.item.project;
    let mut places = vec![keys::org(org), keys::project(org, project), keys::agent(org, run.agent.id)];
    if let ActorId::User(user) = run.requested_by.id {
        places.extend([keys::member(org, user), keys::project_member(org, project, user)]);
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
            member.is_some_and(|member| may_start(&member, in_project))
        }
        ActorId::Agent(_) => true,
    };
    let over = || spending.and_then(|spending| spending.over(run)).map(Obstacle::OverBudget);
    Ok(Obstacle::of(place.as_ref(), project.as_ref(), agent.as_ref(), permitted).or_else(over))
}

/// Whether a member may start AI work in a project that they are in, or are not.
fn may_start(member: &Member, in_project: bool) -> bool {
    is_factory_operator(member) && (in_project || member.role.administers())
}
