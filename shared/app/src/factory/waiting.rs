//! What queued runs wait for: their project or agent may not begin work now, or runners are away or busy. Such a
//! run stays queued, says why, and can be cancelled.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use svc_domain::agent::Agent;
use svc_domain::identity::Org;
use svc_domain::ids::{OrgId, RunId, RunnerId};
use svc_domain::project::Project;
use svc_domain::refusal::Refusal;
use svc_domain::run::waiting::{self, Candidate, Obstacle};
use svc_domain::run::{Named, Run, RunStatus};
use svc_storage::{Condition, Key, Limits, Op, Row, keys};

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
        let mut obstacles = BTreeMap::new();
        for run in queued {
            let of_run = places(org, run).map(|key| rows.get(&key));
            obstacles.extend(obstacle(of_run)?.map(|obstacle| (run.id, obstacle)));
        }
        Ok(Self { runners: runners::candidates(app, org).await?, obstacles })
    }

    /// What a run waits for; `None` for one that does not wait.
    pub(super) fn reason(&self, run: &Run, now: Timestamp) -> Option<String> {
        waiting::reason(run, self.obstacles.get(&run.id).copied(), &self.runners, now)
    }

    /// Where a run would begin at once, or what it would wait for.
    pub(super) fn begins_on(&self, run: &Run, now: Timestamp) -> Result<Named<RunnerId>, String> {
        waiting::begins_on(run, self.obstacles.get(&run.id).copied(), &self.runners, now)
    }
}

/// What the commit that begins a run demands of its place and its agent.
///
/// # Errors
/// [`Refusal::RunState`] where nothing begins now.
pub(super) async fn may_begin(app: &App, org: OrgId, run: &Run) -> Result<Vec<Op>> {
    let rows = app.table.get_many(&places(org, run)).await?;
    let [org_row, project, agent] = [0, 1, 2].map(|place| rows[place].as_ref());
    if let Some(obstacle) = obstacle([org_row, project, agent])? {
        return Err(Refusal::RunState(obstacle.why()).into());
    }
    let check = |row: &Row| Op::check(row.key.clone(), Condition::Version(row.version));
    Ok(rows.iter().flatten().map(check).collect())
}

/// The organization, the project and the agent of a run.
fn places(org: OrgId, run: &Run) -> [Key; 3] {
    [keys::org(org), keys::project(org, &run.item.project), keys::agent(org, run.agent.id)]
}

fn obstacle([org, project, agent]: [Option<&Row>; 3]) -> Result<Option<Obstacle>> {
    let org: Option<Org> = org.map(Row::read).transpose()?;
    let project: Option<Project> = project.map(Row::read).transpose()?;
    let agent: Option<Agent> = agent.map(Row::read).transpose()?;
    Ok(Obstacle::of(org.as_ref(), project.as_ref(), agent.as_ref()))
}
