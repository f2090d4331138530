//! Fires schedules: those that are due, and one that a person fires by hand.
//!
//! Protocol.
//! 1. A schedule that is not paused has one row among those that are due, named by the time. The commit that sets the time
//!    writes it, so that nothing is due that no row tells of.
//! 2. Every minute a job reads the rows whose time has come. For each it makes one commit: the project's schedules in the
//!    version that was read, with the next due time; its row in place of the old one; the record of the firing; and either
//!    the new item with its queued run, or the reason why there is none.
//! 3. So two workers, or one that died and comes back, fire a due time once: the second one finds the next due time.
//! 4. A due time that has a record is passed over: a clock that was set back comes to it again.
//! 5. The commit demands the item of the last firing as it was read: no run of it begins in between.
//!
//! A schedule acts with the rights that the person who saved it has at that moment. As with rules, reading the playbook's
//! page is not needed; a person who fires it by hand acts with their own rights, and must be able to read it.

use std::collections::BTreeMap;

use futures::stream::{self, StreamExt as _};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use svc_domain::access::Capability;
use svc_domain::agent::Agent;
use svc_domain::event::{FactoryEvent, ItemEvent, Via};
use svc_domain::ids::{Actor, ActorId, OrgId, ProjectKey, ScheduleId};
use svc_domain::item::Item;
use svc_domain::playbook::{FactorySettings, Playbook};
use svc_domain::refusal::Refusal;
use svc_domain::run::Run;
use svc_domain::schedule::{Due, FIRINGS_KEPT, Firing, Outcome, Schedule, Schedules};
use svc_domain::wiki::PagePath;
use svc_domain::workflow::Workflow;
use svc_storage::{Condition, Key, KeyOf, Op, Query, Range, Row, RowOf, keys};

use crate::App;
use crate::entry::{Caller, Entry, enter_as_with, enter_project_with};
use crate::error::{Error, Result};
use crate::factory::dispatch::{UNREADABLE, queue, standing_ops};
use crate::factory::draft::{self, Offers, RunSelection};
use crate::factory::naming;
use crate::factory::settings_row::settings_of;
use crate::tracker::gone::key_now;
use crate::tracker::{ItemChange, items};
use crate::transaction::Transaction;
use crate::wanted;
use crate::wiki;

/// Projects whose schedules are fired at the same time.
const AT_ONCE: usize = 8;

/// What the row of a schedule that is due points to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Pointer {
    pub(crate) org: OrgId,
    pub(crate) project: ProjectKey,
    pub(crate) schedule: ScheduleId,
    pub(crate) due: Timestamp,
}

/// Fires every schedule that is due.
///
/// # Errors
/// Those of storage, after all of them were tried: the next call goes on.
pub async fn fire_due(app: &App) -> Result<()> {
    let until = keys::sortable(app.now().as_millisecond() + 1);
    let range = Range::Between("0".to_owned(), until);
    let rows = app.table.query_all(Query::new(keys::DUE_PK.to_owned(), range, 1_000)).await?;
    let mut first = Ok(());
    let mut projects: BTreeMap<(OrgId, ProjectKey), Vec<Row>> = BTreeMap::new();
    for row in rows {
        match row.read::<Pointer>() {
            Ok(Pointer { org, project, .. }) => projects.entry((org, project)).or_default().push(row),
            Err(error) => first = first.and(Err(error.into())),
        }
    }
    let fired = stream::iter(projects.into_values()).map(|rows| fire_those_of_a_project(app, rows));
    let fired: Vec<Result<()>> = fired.buffer_unordered(AT_ONCE).collect().await;
    fired.into_iter().fold(first, Result::and)
}

/// One after the other, because each firing writes the row of all schedules of the project.
async fn fire_those_of_a_project(app: &App, rows: Vec<Row>) -> Result<()> {
    let mut first = Ok(());
    for row in &rows {
        first = first.and(app.decide(|| fire(app, row)).await);
    }
    first
}

/// Fires a schedule once because a person asks, paused or not. Its due times stay as they are.
///
/// # Errors
/// [`Refusal::NotFound`], [`Refusal::LiveRunExists`] while the item that it made last has a live run;
/// [`Refusal::FactoryNotPermitted`]; [`Refusal::Forbidden`] for callers who may not read the page of its playbook; what starting a
/// run refuses.
pub async fn fire_now(app: &App, caller: Caller<'_>, project: &ProjectKey, id: ScheduleId) -> Result<Firing> {
    app.decide(|| async {
        let wanted = |org| (keys::schedules(org, project), rows_of(org, project));
        let (entry, (row, rows)) =
            enter_project_with(app, caller, project, Capability::ConfigureProject, wanted).await?;
        let row = row.ok_or(Refusal::NotFound)?;
        let schedules = row.read()?;
        let schedule = schedules.find(id).ok_or(Refusal::NotFound)?.clone();
        let made = Made::of(app, &entry, &rows, &schedule, app.now()).await?;
        if !wiki::reads(app, &entry.access, project, &made.page).await? {
            return Err(Refusal::Forbidden(UNREADABLE).into());
        }
        let turn = Turn { org: entry.org_id(), project: project.clone(), row, schedules, schedule };
        let firing = Firing {
            schedule: id,
            at: app.now(),
            missed_since: None,
            by: Some(entry.actor().clone()),
            outcome: made.outcome(),
        };
        let next = turn.schedule.due;
        turn.start(app, &entry, made, firing.clone(), next).await?;
        Ok(firing)
    })
    .await
}

/// What the commit that gives a schedule another due time writes beside it.
pub(super) fn due_ops(
    org: OrgId,
    project: &ProjectKey,
    old: Option<&Schedule>,
    new: Option<&Schedule>,
) -> Vec<Op> {
    let place = |schedule: &Schedule| {
        let due = schedule.due?;
        let key = keys::due_schedule(due.as_millisecond(), org, project, schedule.id);
        Some((key, Pointer { org, project: project.clone(), schedule: schedule.id, due }))
    };
    let (old, new) = (old.and_then(place), new.and_then(place));
    if old == new {
        return Vec::new();
    }
    let gone = old.map(|(key, _)| Op::delete(key, Condition::Present));
    gone.into_iter().chain(new.map(|(key, pointer)| Op::create(key, &pointer))).collect()
}

/// A schedule on the way to a firing.
struct Turn {
    org: OrgId,
    project: ProjectKey,
    row: RowOf<Schedules>,
    schedules: Schedules,
    schedule: Schedule,
}

async fn fire(app: &App, row: &Row) -> Result<()> {
    let pointer: Pointer = row.read()?;
    let Some(turn) = Turn::load(app, &pointer).await? else { return forget(app, row, &pointer).await };
    let due = match turn.schedule.due_by(app.now()) {
        Ok(Some(due)) => due,
        Ok(None) => return Ok(()),
        Err(errors) => return turn.pause(app, pointer.due, Refusal::from(errors).sentence()).await,
    };
    if app.table.get(&turn.record(due.at, false)).await?.is_some() {
        return turn.pass_over(app, due.next).await;
    }
    let entered = match turn.schedule.by.id {
        ActorId::User(user) => {
            enter_as_with(app, turn.org, user, &turn.project, |org| rows_of(org, &turn.project)).await
        }
        _ => Err(Refusal::FactoryNotPermitted.into()),
    };
    let made = match entered {
        Ok((entry, rows)) => {
            Made::of(app, &entry, &rows, &turn.schedule, due.at).await.map(|made| (entry, made))
        }
        Err(error) => Err(error),
    };
    match made {
        Ok((entry, made)) => {
            let firing = turn.firing(due, made.outcome());
            turn.start(app, &entry, made, firing, due.next).await
        }
        Err(Error::Refused(refusal)) => turn.skip(app, due, &refusal).await,
        Err(error) => Err(error),
    }
}

/// Deletes a row that was read before another worker fired the schedule, or a person changed it.
async fn forget(app: &App, row: &Row, pointer: &Pointer) -> Result<()> {
    if app.table.get(&row.key).await?.is_none() {
        return Ok(());
    }
    let schedules = keys::schedules(pointer.org, &pointer.project);
    let read = app.table.find(&schedules).await?;
    let due = RowOf::or_default(read.as_ref())?.find(pointer.schedule).and_then(|schedule| schedule.due);
    if due == Some(pointer.due) {
        return Ok(());
    }
    let unchanged = read.map_or(Condition::Absent, |read| Condition::Version(read.version));
    let ops = [Op::check(schedules, unchanged), Op::delete(row.key.clone(), Condition::Present)];
    app.commit(Transaction::bookkeeping(app).with(ops)).await
}

/// Rows that a firing enters with: the workflow and the project's factory settings.
fn rows_of(org: OrgId, project: &ProjectKey) -> (KeyOf<Workflow>, KeyOf<FactorySettings>) {
    (keys::workflow(org, project), keys::factory_settings(org, project))
}

impl Turn {
    /// The schedule that a row points to, if it is due then.
    async fn load(app: &App, pointer: &Pointer) -> Result<Option<Self>> {
        let Pointer { org, project, schedule, due } = pointer;
        let Some(row) = app.table.find(&keys::schedules(*org, project)).await? else { return Ok(None) };
        let schedules = row.read()?;
        let Some(schedule) = schedules.find(*schedule).filter(|known| known.due == Some(*due)).cloned()
        else {
            return Ok(None);
        };
        Ok(Some(Self { org: *org, project: project.clone(), row, schedules, schedule }))
    }

    fn firing(&self, due: Due, outcome: Outcome) -> Firing {
        let Due { at, missed_since, .. } = due;
        Firing { schedule: self.schedule.id, at, missed_since, by: None, outcome }
    }

    /// Makes the item and queues its run.
    async fn start(
        self,
        app: &App,
        entry: &Entry,
        made: Made,
        firing: Firing,
        next: Option<Timestamp>,
    ) -> Result<()> {
        let after = Schedule { due: next, last_item: Some(made.item.key.clone()), ..self.schedule.clone() };
        let mut transaction = Transaction::of(app, entry);
        let (run, item) = (made.run.id, made.item.key.clone());
        let mut change = ItemChange::create(self.org, made.item);
        // No rule fires for the state that it begins in: it has its run.
        change.tell(ItemEvent::Created(item.clone()));
        let via = Via { what: format!("schedule {}", self.schedule.name), by: firing.by.clone() };
        queue(app, self.org, &mut transaction, &made.run, &made.prompt, change, Some(via));
        let ops = self.ops(app, &firing, after)?;
        app.commit(transaction.with(standing_ops(entry)).with(made.demands).with(ops)).await?;
        tracing::info!(%run, %item, schedule = %firing.schedule, "run queued by a schedule");
        Ok(())
    }

    /// Records why nothing is made. Who lost the right to start runs does not get it back by waiting, and what cannot be
    /// restored does not come back.
    async fn skip(self, app: &App, due: Due, refusal: &Refusal) -> Result<()> {
        if let Some(reason) = self.gone_for_good(app).await? {
            return self.pause(app, due.at, reason).await;
        }
        let reason = match (refusal, &self.schedule.last_item) {
            (Refusal::LiveRunExists { .. }, Some(item)) => {
                format!("{item}, which this schedule made last, has a live run.")
            }
            _ => refusal.why_no_run("saved the schedule"),
        };
        if matches!(refusal, Refusal::FactoryNotPermitted | Refusal::NotFound | Refusal::Forbidden(_)) {
            return self.pause(app, due.at, reason).await;
        }
        let firing = self.firing(due, Outcome::Skipped { reason });
        let after = Schedule { due: due.next, ..self.schedule.clone() };
        let ops = self.ops(app, &firing, after)?;
        app.commit(Transaction::by_itself(app, self.org).with(ops)).await
    }

    /// The playbook or the agent that it names, if it cannot be restored any more.
    async fn gone_for_good(&self, app: &App) -> Result<Option<String>> {
        let (now, Schedule { playbook, agent, .. }) = (app.now(), &self.schedule);
        let playbook = keys::playbook(self.org, &self.project, *playbook);
        let agent = agent.map(|id| keys::agent(self.org, id));
        let (playbook, agent) = wanted::load(app, (playbook, agent)).await?;
        let playbook: Option<Playbook> = playbook.map(|row| row.read()).transpose()?;
        let agent: Option<Agent> = agent.map(|row| row.read()).transpose()?;
        let playbook = playbook.and_then(|playbook| Some(("playbook", playbook.name, playbook.deleted?)));
        let agent = agent.and_then(|agent| Some(("agent", agent.name, agent.deleted?)));
        let mut gone =
            playbook.into_iter().chain(agent).filter(|(_, _, deletion)| !deletion.can_be_undone(now));
        Ok(gone.next().map(|(what, name, deletion)| naming::deleted(what, &name, &deletion, now)))
    }

    /// Records why nothing is made, and that the schedule waits for a person.
    async fn pause(self, app: &App, at: Timestamp, reason: String) -> Result<()> {
        let due = Due { at, missed_since: None, next: None };
        let firing = self.firing(due, Outcome::Skipped { reason: reason.clone() });
        let after = Schedule { due: None, paused_because: Some(reason), ..self.schedule.clone() };
        let told = FactoryEvent::SchedulePaused(self.project.clone(), after.id, after.name.clone());
        let ops = self.ops(app, &firing, after)?;
        app.commit(Transaction::by_itself(app, self.org).with(ops).telling(told)).await
    }

    /// Goes on to the next due time where this one was fired before: the clock was set back, or a person saved the
    /// schedule on a server whose clock is behind.
    async fn pass_over(self, app: &App, next: Option<Timestamp>) -> Result<()> {
        let after = Schedule { due: next, ..self.schedule.clone() };
        let mut ops = due_ops(self.org, &self.project, Some(&self.schedule), Some(&after));
        let mut schedules = self.schedules;
        schedules.put(after)?;
        ops.push(Op::replace(self.row.key.clone(), self.row.version, &schedules));
        app.commit(Transaction::bookkeeping(app).with(ops)).await
    }

    /// The key of the record of a firing.
    fn record(&self, at: Timestamp, by_hand: bool) -> Key {
        keys::schedule_firing(self.org, &self.project, self.schedule.id, at.as_millisecond(), by_hand)
    }

    /// The schedule as it is after a firing, and the record of it.
    fn ops(&self, app: &App, firing: &Firing, after: Schedule) -> Result<Vec<Op>> {
        let mut ops = due_ops(self.org, &self.project, Some(&self.schedule), Some(&after));
        let mut schedules = self.schedules.clone();
        let last_skipped = firing.outcome.skipped().map(ToOwned::to_owned);
        schedules.put(Schedule { last_skipped, ..after })?;
        ops.push(Op::replace(self.row.key.clone(), self.row.version, &schedules));
        let record = self.record(firing.at, firing.by.is_some());
        ops.push(Op::create(record, firing).expiring((app.now() + FIRINGS_KEPT).as_second()));
        Ok(ops)
    }
}

/// An item and its run, which may be queued as everything is now.
struct Made {
    item: Item,
    run: Run,
    prompt: String,
    page: PagePath,
    demands: Vec<Op>,
}

impl Made {
    /// For a caller who entered the project with [`rows_of`].
    async fn of(
        app: &App,
        entry: &Entry,
        (workflow_row, settings): &(Option<RowOf<Workflow>>, Option<RowOf<FactorySettings>>),
        schedule: &Schedule,
        at: Timestamp,
    ) -> Result<Self> {
        for capability in [Capability::OperateFactory, Capability::Work] {
            entry.access.require(capability)?;
        }
        let org = entry.org_id();
        let project = &entry.project.as_ref().ok_or(Refusal::NotFound)?.key;
        let workflow_row = workflow_row.as_ref().ok_or(Refusal::NotFound)?;
        let last = last_item(app, org, schedule).await?;
        let settings = settings_of(settings.as_ref())?;
        let [playbook, agent, runner] = [
            Some(schedule.playbook.to_string()),
            schedule.agent.map(|id| id.to_string()),
            schedule.runner.map(|id| id.to_string()),
        ];
        let selection = RunSelection {
            playbook: playbook.as_deref(),
            agent: agent.as_deref(),
            runner: runner.as_deref(),
            harness: schedule.harness,
        };
        let offers = Offers::of(app, org, project, selection.runner.is_some()).await?;
        offers.still_has(schedule)?;
        let choice = offers.choose(&settings, &selection)?;
        let (playbook, version) = choice.playbook.clone();
        draft::page(app, org, project, &playbook).await?;
        let item = new_item(app, entry, project, schedule, &workflow_row.read()?, at).await?;
        let by: Actor = entry.actor().clone();
        let mut run = draft::run(app, &item, &settings, &choice, by, None, true);
        run.schedule = Some(schedule.id);
        let prompt = draft::prompt(app, org, &item, &playbook, &run, None).await?;
        let mut demands = vec![
            Op::check(keys::agent(org, run.agent.id), Condition::Version(choice.agent.1)),
            Op::check(keys::playbook(org, project, playbook.id), Condition::Version(version)),
            workflow_row.unchanged(),
        ];
        demands.extend(last);
        let page = PagePath::try_from(playbook.page_path).map_err(Refusal::from)?;
        Ok(Self { item, run, prompt, page, demands })
    }

    fn outcome(&self) -> Outcome {
        Outcome::Started { item: self.item.key.clone(), run: self.run.id }
    }
}

/// The item of a due time. Its number is drawn last, so that what is refused uses none.
async fn new_item(
    app: &App,
    entry: &Entry,
    project: &ProjectKey,
    schedule: &Schedule,
    workflow: &Workflow,
    at: Timestamp,
) -> Result<Item> {
    let times = schedule.times().map_err(Refusal::from)?;
    let key = svc_domain::ids::ItemKey { project: project.clone(), number: 0 };
    let made = schedule.item.make(key, workflow, entry.actor(), &times, (at, app.now()));
    let mut item = made.map_err(Refusal::from)?;
    item.key.number = items::next_number(app, entry.org_id(), project).await?;
    Ok(item)
}

/// What the commit demands of the item that the schedule made last, wherever it was moved, which has no live run.
async fn last_item(app: &App, org: OrgId, schedule: &Schedule) -> Result<Option<Op>> {
    let Some(key) = &schedule.last_item else { return Ok(None) };
    let key = key_now(app, org, key).await?.unwrap_or_else(|| key.clone());
    let key = keys::item(org, &key);
    let Some(row) = app.table.get(&key).await? else { return Ok(None) };
    match row.read::<Item>()?.live_run {
        Some(run) => Err(Refusal::LiveRunExists { run }.into()),
        None => Ok(Some(Op::check(key, Condition::Version(row.version)))),
    }
}
