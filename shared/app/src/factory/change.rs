//! The rows that a step of a run writes: the run, its places in list, queue and live runs, its token, its
//! item with comment and history, and what workers are told, always in one commit.
//!
//! Protocol.
//! 1. Load the run and, where the step's effects touch it, its item and workflow.
//! 2. [`svc_domain::run::machine::step`] decides.
//! 3. Run and effects become operations and domain events. The first operation demands the run's version as read,
//!    so that of two steps at the same moment one decides again.
//! 4. What follows from the events is written with them; after the commit, the runner's silence is watched for.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use svc_domain::comment::{Comment, RunFailure};
use svc_domain::event::{CommentEvent, CommentRef, Event as Happened, ItemEvent, RunEvent};
use svc_domain::harness::Harness;
use svc_domain::identity::{Credential, Scope, Subject};
use svc_domain::ids::{AgentId, CommentId, ItemKey, OrgId, RunId, RunnerId};
use svc_domain::playbook::Playbook;
use svc_domain::refinement::Refinement;
use svc_domain::run::machine::{Effect, Event, step};
use svc_domain::run::numbers::EndedRun;
use svc_domain::run::{Ended, Ending, Run, RunStatus, UsedSoFar, outcome, settle};
use svc_domain::workflow::Workflow;
use svc_storage::{Condition, Op, Row, RowOf, keys};

use super::live::LiveEntry;
use super::loaded::LoadedRun;
use super::refinements;
use crate::App;
use crate::error::Result;
use crate::messages::WatchRun;
use crate::outbox;
use crate::tracker::ItemChange;
use crate::transaction::Transaction;
use crate::wanted;

/// A run in the list of an organization's runs: what lists filter by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunEntry {
    pub(super) item: ItemKey,
    pub(super) agent: AgentId,
    pub(super) status: RunStatus,
}

/// A queued run: what a runner that looks for work needs to know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QueueEntry {
    pub(super) run: RunId,
    pub(super) harness: Harness,
    pub(super) chosen_runner: Option<RunnerId>,
}

impl RunEntry {
    /// What the list has of a run.
    pub(crate) fn of(run: &Run) -> Self {
        Self { item: run.item.clone(), agent: run.agent.id, status: run.status() }
    }
}

impl QueueEntry {
    /// What the queue has of a run.
    pub(crate) fn of(run: &Run) -> Self {
        let chosen_runner = run.chosen_runner.as_ref().map(|chosen| chosen.id);
        Self { run: run.id, harness: run.harness, chosen_runner }
    }
}

/// Counts for operators what a step did: how long the run waited for a runner, and what it used until its end.
fn count(app: &App, run: &Run, effects: &[Effect]) {
    for effect in effects {
        match (effect, run.ended()) {
            (Effect::LeaveQueue { available_at }, None) => {
                app.metrics.waited(app.now().duration_since(*available_at));
            }
            (Effect::PostOutcome, Some(Ended { report, .. })) => {
                app.metrics.spent(run.harness, report.tokens.as_ref(), report.cost);
            }
            _ => {}
        }
    }
}

/// A step of a run on its way to a commit.
pub(super) struct RunChange {
    org: OrgId,
    pub(super) run: Run,
    pub(super) version: u64,
    changed: bool,
    effects: Vec<Effect>,
    transaction: Transaction,
}

impl RunChange {
    /// Decides what an event does to a run, and loads what that concerns.
    pub(super) async fn decide(
        app: &App,
        transaction: Transaction,
        org: OrgId,
        loaded: &LoadedRun,
        event: Event,
    ) -> Result<Self> {
        let (mut run, effects) = step(&loaded.run, event, app.now())?;
        let writes_live = |effect| matches!(effect, &Effect::LetGo | &Effect::KeepAlive);
        let last_sign =
            if effects.iter().any(writes_live) { loaded.last_sign(app, org).await? } else { None };
        let used = last_sign.as_ref().map(|sign| sign.used).unwrap_or_default();
        run = run.having_used(used);
        let changed = run != loaded.run;
        let mut change =
            Self { org, version: loaded.version + u64::from(changed), run, changed, effects, transaction };
        change.first_op(loaded);
        for effect in change.effects.clone() {
            change.row_ops(app, (loaded, used), &effect);
        }
        if let Some(sign) = &last_sign {
            // A sign of life at this moment may tell of more.
            change = change.unless_changed(&sign.row);
        }
        let refinement = change.refinement_ops(app).await?;
        change.item_ops(app, refinement.as_ref()).await?;
        Ok(change)
    }

    /// What the step demands.
    pub(super) fn effects(&self) -> &[Effect] {
        &self.effects
    }

    /// Whether there is nothing to write.
    pub(super) const fn is_nothing(&self) -> bool {
        !self.changed && self.effects.is_empty()
    }

    /// The same, demanding also that the run's live row is as it was read.
    pub(super) fn unless_changed(mut self, live: &Row) -> Self {
        for op in self.transaction.ops_mut().iter_mut().filter(|op| op.key == live.key) {
            op.condition = Condition::Version(live.version);
        }
        self
    }

    /// The same, with the run's new live row.
    pub(super) fn with_live(mut self, live: &LiveEntry) -> Self {
        let key = keys::live_run(self.org, self.run.id);
        for op in self.transaction.ops_mut().iter_mut().filter(|op| op.key == key) {
            *op = Op::put(key.clone(), op.condition, live);
        }
        self
    }

    /// The same, demanding more.
    pub(super) fn demanding(mut self, checks: Vec<Op>) -> Self {
        self.transaction.write(checks);
        self
    }

    /// Commits everything.
    pub(super) async fn commit(self, app: &App) -> Result<(Run, u64)> {
        if self.is_nothing() {
            return Ok((self.run, self.version));
        }
        app.commit(self.transaction).await?;
        count(app, &self.run, &self.effects);
        if self.effects.contains(&Effect::Watch) {
            let message = WatchRun { org: self.org, run: self.run.id };
            outbox::send_hint(app, message, lost_after(app)).await;
        }
        Ok((self.run, self.version))
    }

    fn first_op(&mut self, loaded: &LoadedRun) {
        let key = keys::run(self.org, self.run.id);
        if !self.changed {
            self.transaction.write([Op::check(key, Condition::Version(loaded.version))]);
            return;
        }
        let row = Op::replace(key, loaded.version, &self.run);
        self.transaction.write([row, list_op(self.org, &self.run, Condition::None)]);
        self.transaction.write(ended_op(self.org, &self.run));
        let (before, after) = (loaded.run.status(), self.run.status());
        if after == RunStatus::Running && before != after {
            self.transaction.tell(RunEvent::Started(self.run.item.clone(), self.run.id));
        }
        if self.run.wants_stop() && !loaded.run.wants_stop() {
            self.transaction.tell(RunEvent::CancelRequested(self.run.item.clone(), self.run.id));
        }
    }

    fn row_ops(&mut self, app: &App, (loaded, used): (&LoadedRun, UsedSoFar), effect: &Effect) {
        let (org, run) = (self.org, &self.run);
        let ops: Vec<Op> = match effect {
            Effect::EnterQueue { available_at } => {
                self.transaction.tell(RunEvent::Returned(run.item.clone(), run.id));
                vec![queue_op(org, run, *available_at)]
            }
            Effect::LeaveQueue { available_at } => {
                let key = keys::queued_run(org, available_at.as_millisecond(), run.id);
                vec![Op::delete(key, Condition::Present)]
            }
            Effect::Hold => {
                self.transaction.tell(RunEvent::Taken(run.item.clone(), run.id));
                let entry = LiveEntry::of(run, app.now()).into_iter();
                entry.flat_map(|entry| [Op::create(entry.key(org), &entry), entry.taken_op(org)]).collect()
            }
            Effect::LetGo => {
                let live = Op::delete(keys::live_run(org, run.id), Condition::Present);
                // Runs that an older version handed over have no such row.
                let taken = LiveEntry::of(&loaded.run, app.now()).map(|entry| entry.untaken_op(org));
                std::iter::once(live).chain(taken).collect()
            }
            Effect::KeepAlive => LiveEntry::of(run, app.now())
                .map(|entry| LiveEntry { used, ..entry })
                .map(|entry| Op::put(keys::live_run(org, run.id), Condition::Present, &entry))
                .into_iter()
                .collect(),
            Effect::IssueToken { hash } => vec![token_op(app, org, run, hash)],
            Effect::RevokeToken { hash } => vec![Op::delete(keys::credential(hash), Condition::None)],
            Effect::ContinueLater { after } => {
                self.transaction.tell(RunEvent::ContinuesLater(run.id, *after));
                Vec::new()
            }
            Effect::Watch
            | Effect::ClaimItem
            | Effect::UnclaimItem
            | Effect::FreeItem
            | Effect::LinkPullRequest { .. }
            | Effect::PostOutcome
            | Effect::MoveItem { .. }
            | Effect::QueueNext { .. } => Vec::new(),
        };
        self.transaction.write(ops);
    }

    async fn item_ops(&mut self, app: &App, refinement: Option<&Refinement>) -> Result<()> {
        if !self.effects.iter().any(settle::touches_item) {
            return Ok(());
        }
        let (org, key) = (self.org, self.run.item.clone());
        let wanted = (keys::item(org, &key), keys::workflow(org, &key.project));
        let (row, workflow) = wanted::load(app, wanted).await?;
        // An item that is gone has nothing left to be told.
        let Some(row) = row else { return Ok(()) };
        let workflow = RowOf::or_default(workflow.as_ref())?;
        self.follow_playbook(app, &workflow).await?;
        let mut change = ItemChange::update(org, row.read()?, row.version);
        let (now, stale) = (app.now(), app.settings.claims.stale_after());
        let (events, words) =
            settle::apply(&mut change.item, &self.run, &self.effects, &workflow, now, stale)?;
        if events.is_empty() && words.is_none() {
            change = change.as_heartbeat();
        }
        for event in events {
            if let Happened::Item(ItemEvent::Moved { item, to, run, .. }) = &event
                && workflow.rules
            {
                let entered = ItemEvent::StateEntered { item: item.clone(), state: to.clone(), run: *run };
                change.tell_as(self.run.actor(), entered);
            }
            change.tell_as(self.run.actor(), event);
        }
        self.transaction.save(change);
        match words {
            Some(body) => self.comment(app, outcome::with_next_step(body, refinement)).await,
            None => Ok(()),
        }
    }

    /// The end of a refine run decides what becomes of the refinement.
    async fn refinement_ops(&mut self, app: &App) -> Result<Option<Refinement>> {
        if !self.run.is_refinement() || !self.effects.contains(&Effect::FreeItem) {
            return Ok(None);
        }
        let (item, run) = (self.run.item.clone(), self.run.id);
        refinements::ended(app, &mut self.transaction, self.org, &item, run).await
    }

    /// A state that was renamed or removed since the run was queued is the one that its playbook names now.
    async fn follow_playbook(&mut self, app: &App, workflow: &Workflow) -> Result<()> {
        let succeeded = self.run.status() == RunStatus::Succeeded;
        let (org, project, id) = (self.org, &self.run.item.project, self.run.playbook.id);
        for effect in &mut self.effects {
            let Effect::MoveItem { to } = effect else { continue };
            if workflow.find(to).is_some() {
                continue;
            }
            let Some(row) = app.table.find(&keys::playbook(org, project, id)).await? else { continue };
            let playbook: Playbook = row.read()?;
            let state = if succeeded { playbook.success_state } else { playbook.failure_state };
            if let Some(state) = state {
                *to = state;
            }
        }
        Ok(())
    }

    /// Leaves the outcome comment: in the thread of the comment that asked for the run, if one did.
    async fn comment(&mut self, app: &App, body: String) -> Result<()> {
        let (item, actor) = (&self.run.item, self.run.actor());
        let mut comment = Comment::new(CommentId(app.uuid()), actor.clone(), body, app.now());
        comment.outcome_of = Some(self.run.id);
        comment.failure = match self.run.ended().map(|ended| &ended.ending) {
            Some(Ending::Failed { reason, detail }) => {
                Some(RunFailure { reason: *reason, detail: detail.clone() })
            }
            _ => None,
        };
        if let Some(asked) = self.run.comment
            && let Some(row) = app.table.find(&keys::comment(self.org, item, asked)).await?
        {
            comment = comment.answering(&row.read()?);
        }
        self.transaction.write([Op::create(keys::comment(self.org, item, comment.id), &comment)]);
        self.transaction.tell_as(&actor, CommentEvent::Created(CommentRef::of(item, &comment)));
        Ok(())
    }
}

/// The row in the organization's list of runs.
pub(super) fn list_op(org: OrgId, run: &Run, condition: Condition) -> Op {
    Op::put(keys::run_entry(org, run.id), condition, &RunEntry::of(run))
}

/// What is kept of a run that has ended, for numbers.
fn ended_op(org: OrgId, run: &Run) -> Option<Op> {
    let ended = EndedRun::of(run)?;
    let key = keys::ended_run(org, ended.at.as_millisecond(), run.id);
    Some(Op::put(key, Condition::None, &ended).expiring((ended.at + NUMBERS_KEPT).as_second()))
}

/// For how long the numbers of a run are kept: a bit more than a year.
const NUMBERS_KEPT: SignedDuration = SignedDuration::from_hours(24 * 400);

/// The row in the run queue.
pub(super) fn queue_op(org: OrgId, run: &Run, available_at: Timestamp) -> Op {
    Op::create(keys::queued_run(org, available_at.as_millisecond(), run.id), &QueueEntry::of(run))
}

/// The row of an agent's token: it reads, writes and speaks MCP in one project, until well after the run's
/// time limit should nobody end the run before.
pub(super) fn token_op(app: &App, org: OrgId, run: &Run, hash: &str) -> Op {
    Op::create(keys::credential(hash), &token(app, org, run))
}

fn token(app: &App, org: OrgId, run: &Run) -> Credential {
    let limit = SignedDuration::from_mins(i64::from(run.time_limit_minutes)) + TOKEN_SLACK;
    Credential {
        subject: Subject::AgentRun {
            agent: run.agent.id,
            name: run.agent.name.clone(),
            run: run.id,
            project: run.item.project.clone(),
            item: Some(run.item.clone()),
            refines: run.is_refinement(),
        },
        scopes: [Scope::Read, Scope::Write, Scope::Mcp].into(),
        org: Some(org),
        expires_at: app.now().checked_add(limit).ok(),
    }
}

/// What a run may take beyond its time limit: preparing the workspace, delivering, reporting.
const TOKEN_SLACK: SignedDuration = SignedDuration::from_hours(1);

/// Rows that a new run is born with, beside those of its item.
pub(super) fn birth_ops(org: OrgId, run: &Run, prompt: &str) -> Vec<Op> {
    let mut ops = vec![
        Op::create(keys::run(org, run.id), run),
        Op::create(keys::run_prompt(org, run.id), &prompt),
        Op::create(keys::run_ref(run.id), &org),
        Op::create(keys::item_run(org, &run.item, run.id), &run.id),
        list_op(org, run, Condition::Absent),
    ];
    if let svc_domain::run::State::Queued(waiting) = &run.state {
        ops.push(queue_op(org, run, waiting.available_at));
    }
    ops
}

/// After how long without a sign of life a run's runner counts as lost.
pub(super) fn lost_after(app: &App) -> SignedDuration {
    SignedDuration::from_secs(i64::from(app.settings.automation.runner_lost_seconds))
}
