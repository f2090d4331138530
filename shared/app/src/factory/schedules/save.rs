//! Making, changing and deleting schedules. Each commit writes the project's schedules and, beside them, the row that says
//! when the one that changed is due.

use jiff::Timestamp;
use svc_domain::access::Capability;
use svc_domain::event::FactoryEvent;
use svc_domain::ids::{OrgId, ProjectKey, ScheduleId};
use svc_domain::name::check_given;
use svc_domain::playbook::FactorySettings;
use svc_domain::refusal::Refusal;
use svc_domain::schedule::{ItemTemplate, Schedule, Schedules};
use svc_domain::workflow::Workflow;
use svc_storage::{Condition, Op, RowOf, keys};

use super::fire::due_ops;
use super::{NewSchedule, ScheduleEdit, ScheduleView};
use crate::App;
use crate::entry::{Caller, Entry, enter_project_with};
use crate::error::Result;
use crate::factory::draft::{self, RunSelection};
use crate::transaction::Transaction;

/// Makes a schedule.
///
/// # Errors
/// [`Refusal::Invalid`]; what [`Capability::ConfigureProject`] refuses.
pub async fn create(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    new: &NewSchedule,
) -> Result<ScheduleView> {
    app.decide(|| async {
        let loaded = Loaded::enter(app, caller, project).await?;
        let schedule = wanted(app, &loaded, project, new).await?;
        let mut schedule = schedule.checked(None, project, &loaded.workflow()?, app.now())?;
        check_given("name", &schedule.name, None)?;
        if !new.paused {
            schedule.due = first_due(&schedule, app.now())?;
        }
        let told = FactoryEvent::ScheduleCreated(project.clone(), schedule.id, schedule.name.clone());
        loaded.save(app, None, Some(&schedule), told).await?;
        Ok(ScheduleView::of(schedule))
    })
    .await
}

/// The schedule to make, not yet checked.
async fn wanted(app: &App, loaded: &Loaded, project: &ProjectKey, new: &NewSchedule) -> Result<Schedule> {
    let org = loaded.org();
    let selection = RunSelection {
        playbook: Some(&new.playbook),
        agent: new.agent.as_deref(),
        ..RunSelection::default()
    };
    let (playbook, agent) = draft::name(app, org, project, &FactorySettings::default(), &selection).await?;
    let runner = match &new.runner {
        Some(word) => Some(draft::name_runner(app, org, word).await?),
        None => None,
    };
    Ok(Schedule {
        id: ScheduleId(app.uuid()),
        version: 1,
        name: new.name.clone(),
        cron: new.cron.clone(),
        time_zone: new.time_zone.clone(),
        playbook,
        agent,
        runner,
        harness: new.harness,
        item: ItemTemplate {
            item_type: new.item_type,
            title: new.title.clone(),
            body: new.body.clone(),
            labels: new.labels.clone(),
        },
        by: loaded.entry.actor().clone(),
        due: None,
        paused_because: None,
        last_item: None,
        last_skipped: None,
    })
}

/// Changes a schedule, which from now on acts with the caller's rights.
///
/// # Errors
/// [`Refusal::NotFound`], [`Refusal::StaleVersion`]; as [`create`].
pub async fn update(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    id: ScheduleId,
    edit: &ScheduleEdit,
) -> Result<ScheduleView> {
    app.decide(|| async {
        let loaded = Loaded::enter(app, caller, project).await?;
        let old = loaded.schedules.find(id).ok_or(Refusal::NotFound)?.clone();
        if old.version != edit.version {
            return Err(Refusal::StaleVersion { current: old.version }.into());
        }
        let schedule = changed(app, &loaded, &old, edit).await?;
        let mut schedule = schedule.checked(Some(&old), project, &loaded.workflow()?, app.now())?;
        check_given("name", &schedule.name, Some(&old.name))?;
        let same_times = schedule.is_due_like(&old);
        schedule.due = match (edit.paused.unwrap_or(old.due.is_none()), old.due) {
            (true, _) => None,
            // A due time that has just passed is not lost by an edit.
            (false, Some(due)) if same_times => Some(due),
            (false, _) => first_due(&schedule, app.now())?,
        };
        if schedule.due.is_some() || edit.paused.is_some() {
            schedule.paused_because = None;
        }
        let told = FactoryEvent::ScheduleChanged(project.clone(), id, schedule.name.clone());
        loaded.save(app, Some(&old), Some(&schedule), told).await?;
        Ok(ScheduleView::of(schedule))
    })
    .await
}

/// Deletes a schedule. Its items and runs stay; the record of its firings expires.
///
/// # Errors
/// [`Refusal::NotFound`]; what [`Capability::ConfigureProject`] refuses.
pub async fn delete(app: &App, caller: Caller<'_>, project: &ProjectKey, id: ScheduleId) -> Result<()> {
    app.decide(|| async {
        let loaded = Loaded::enter(app, caller, project).await?;
        let old = loaded.schedules.find(id).ok_or(Refusal::NotFound)?.clone();
        let told = FactoryEvent::ScheduleDeleted(project.clone(), id, old.name.clone());
        loaded.save(app, Some(&old), None, told).await
    })
    .await
}

/// The schedule after an edit, not yet checked.
async fn changed(app: &App, loaded: &Loaded, old: &Schedule, edit: &ScheduleEdit) -> Result<Schedule> {
    let (org, project) = (loaded.org(), loaded.project()?);
    let word = old.playbook.to_string();
    let wanted = edit.agent.clone().flatten();
    let selection = RunSelection {
        playbook: Some(edit.playbook.as_deref().unwrap_or(&word)),
        agent: wanted.as_deref(),
        ..RunSelection::default()
    };
    let (playbook, agent) = draft::name(app, org, project, &FactorySettings::default(), &selection).await?;
    let runner = match &edit.runner {
        Some(Some(word)) => Some(draft::name_runner(app, org, word).await?),
        Some(None) => None,
        None => old.runner,
    };
    let template = old.item.clone();
    Ok(Schedule {
        version: old.version + 1,
        name: edit.name.clone().unwrap_or_else(|| old.name.clone()),
        cron: edit.cron.clone().unwrap_or_else(|| old.cron.clone()),
        time_zone: edit.time_zone.clone().unwrap_or_else(|| old.time_zone.clone()),
        playbook,
        agent: if edit.agent.is_some() { agent } else { old.agent },
        runner,
        harness: edit.harness.unwrap_or(old.harness),
        item: ItemTemplate {
            item_type: edit.item_type.unwrap_or(template.item_type),
            title: edit.title.clone().unwrap_or(template.title),
            body: edit.body.clone().unwrap_or(template.body),
            labels: edit.labels.clone().unwrap_or(template.labels),
        },
        by: loaded.entry.actor().clone(),
        // The edit may have mended the reason.
        last_skipped: None,
        ..old.clone()
    })
}

fn first_due(schedule: &Schedule, now: Timestamp) -> Result<Option<Timestamp>, Refusal> {
    Ok(schedule.times()?.next_after(now))
}

/// The schedules of a project on the way to a change.
struct Loaded {
    entry: Entry,
    schedules: Schedules,
    /// What must hold of their row when they are written.
    unchanged: Condition,
    workflow: Option<RowOf<Workflow>>,
}

impl Loaded {
    async fn enter(app: &App, caller: Caller<'_>, project: &ProjectKey) -> Result<Self> {
        let wanted = |org| (keys::schedules(org, project), keys::workflow(org, project));
        let (entry, (row, workflow)) =
            enter_project_with(app, caller, project, Capability::ConfigureProject, wanted).await?;
        let unchanged = row.as_ref().map_or(Condition::Absent, |row| Condition::Version(row.version));
        Ok(Self { entry, schedules: RowOf::or_default(row.as_ref())?, unchanged, workflow })
    }

    const fn org(&self) -> OrgId {
        self.entry.org_id()
    }

    fn project(&self) -> Result<&ProjectKey> {
        Ok(&self.entry.project.as_ref().ok_or(Refusal::NotFound)?.key)
    }

    fn workflow(&self) -> Result<Workflow> {
        Ok(self.workflow.as_ref().ok_or(Refusal::NotFound)?.read()?)
    }

    /// Writes one schedule in the place of another, and when it is due.
    async fn save(
        mut self,
        app: &App,
        old: Option<&Schedule>,
        new: Option<&Schedule>,
        told: FactoryEvent,
    ) -> Result<()> {
        let (org, project) = (self.org(), self.project()?.clone());
        match (old, new) {
            (_, Some(new)) => self.schedules.put(new.clone())?,
            (Some(old), None) => drop(self.schedules.remove(old.id)?),
            (None, None) => {}
        }
        let mut ops = vec![Op::put(keys::schedules(org, &project), self.unchanged, &self.schedules)];
        ops.extend(due_ops(org, &project, old, new));
        app.commit(Transaction::of(app, &self.entry).with(ops).telling(told)).await
    }
}
