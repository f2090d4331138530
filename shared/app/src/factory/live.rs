//! The row of a run that a runner holds: who has it, and what its last sign of life said.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use svc_domain::ids::{AgentId, OrgId, ProjectKey, RunId, RunnerId};
use svc_domain::run::{Run, UsedSoFar};
use svc_storage::{Condition, Key, Op, keys};

/// A run that a runner holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LiveEntry {
    pub(crate) run: RunId,
    pub(crate) runner: RunnerId,
    /// The request that it was handed over by.
    pub(crate) request: String,
    /// Last sign of life.
    pub(super) heartbeat_at: Timestamp,
    /// When the sign of life last reached the item's claim.
    pub(super) claim_at: Timestamp,
    /// Project of its item; absent where an older version began it.
    #[serde(default)]
    pub(crate) project: Option<ProjectKey>,
    /// Its agent.
    #[serde(default)]
    pub(crate) agent: Option<AgentId>,
    /// When it was taken.
    #[serde(default)]
    pub(crate) since: Option<Timestamp>,
    /// What it has used so far, as its runner said last.
    #[serde(default)]
    pub(crate) used: UsedSoFar,
}

impl LiveEntry {
    /// Of a run that is held, from now on.
    pub(super) fn of(run: &Run, now: Timestamp) -> Option<Self> {
        run.hold().map(|hold| Self {
            run: run.id,
            runner: hold.runner.id,
            request: hold.request.clone(),
            heartbeat_at: now,
            claim_at: now,
            project: Some(run.item.project.clone()),
            agent: Some(run.agent.id),
            since: Some(hold.since),
            used: UsedSoFar::default(),
        })
    }

    pub(super) fn key(&self, org: OrgId) -> Key {
        keys::live_run(org, self.run)
    }

    /// The row that says which run the request got. Of two commits for one request, the second fails by it.
    pub(super) fn taken_op(&self, org: OrgId) -> Op {
        Op::create(keys::taken_run(org, self.runner, &self.request), &self.run)
    }

    /// The end of that row.
    pub(super) fn untaken_op(&self, org: OrgId) -> Op {
        Op::delete(keys::taken_run(org, self.runner, &self.request), Condition::None)
    }
}
