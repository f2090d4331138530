//! Recurring schedules of a project: their management and the record of their firings.
//!
//! All schedules of a project are one row, as its rules are. What is due is found by a row for each schedule that is not
//! paused, named by the time; the commit that sets a schedule's due time writes it. What fires them: [`fire_due`].

mod fire;
mod save;

use jiff::Timestamp;
use svc_domain::access::Capability;
use svc_domain::harness::Harness;
use svc_domain::ids::{ProjectKey, ScheduleId};
use svc_domain::item::ItemType;
use svc_domain::refusal::Refusal;
use svc_domain::schedule::cron::Cron;
use svc_domain::schedule::{Firing, Schedule, Schedules};
use svc_storage::{Query, Range, Row, RowOf, keys};

use super::playbooks::require_factory_area;
use crate::App;
use crate::entry::{Caller, Entry, enter_project_with};
use crate::error::Result;
use crate::identity::bring_up_to_date;

pub(crate) use fire::Pointer;
pub use fire::{fire_due, fire_now};
pub use save::{create, delete, update};

/// Due times that are shown in advance.
const SHOWN: usize = 3;
/// Firings that are shown.
const LATEST: usize = 100;

/// A wanted schedule.
#[derive(Clone, Debug)]
pub struct NewSchedule {
    /// Name.
    pub name: String,
    /// Cron expression.
    pub cron: String,
    /// IANA name of the time zone.
    pub time_zone: String,
    /// Id or name of the playbook.
    pub playbook: String,
    /// Id or name of the agent.
    pub agent: Option<String>,
    /// Id or name of the runner for its runs; any runner when absent.
    pub runner: Option<String>,
    /// Harness of its runs; the playbook's when absent.
    pub harness: Option<Harness>,
    /// Type of its items.
    pub item_type: ItemType,
    /// Title of its items.
    pub title: String,
    /// Description of its items.
    pub body: String,
    /// Labels of its items.
    pub labels: Vec<String>,
    /// Whether it does not begin at once.
    pub paused: bool,
}

/// A wanted change of a schedule; `None` leaves a field, `Some(None)` clears it.
#[derive(Clone, Debug, Default)]
pub struct ScheduleEdit {
    /// The version last read.
    pub version: u64,
    /// New name.
    pub name: Option<String>,
    /// New cron expression.
    pub cron: Option<String>,
    /// New time zone.
    pub time_zone: Option<String>,
    /// New playbook.
    pub playbook: Option<String>,
    /// New agent.
    pub agent: Option<Option<String>>,
    /// New runner.
    pub runner: Option<Option<String>>,
    /// New harness.
    pub harness: Option<Option<Harness>>,
    /// New type of its items.
    pub item_type: Option<ItemType>,
    /// New title of its items.
    pub title: Option<String>,
    /// New description of its items.
    pub body: Option<String>,
    /// New labels of its items.
    pub labels: Option<Vec<String>>,
    /// Pauses or resumes it.
    pub paused: Option<bool>,
}

/// A schedule as it is shown.
#[derive(Clone, Debug)]
pub struct ScheduleView {
    /// The schedule.
    pub schedule: Schedule,
    /// Its next due times; none while it is paused.
    pub next: Vec<Timestamp>,
}

impl ScheduleView {
    fn of(schedule: Schedule) -> Self {
        let later = |due: Timestamp| schedule.times().map(|times| times.upcoming(due, SHOWN - 1));
        let next = schedule.due.map(|due| [vec![due], later(due).unwrap_or_default()].concat());
        Self { next: next.unwrap_or_default(), schedule }
    }
}

/// The schedules of a project, oldest first.
///
/// # Errors
/// [`Refusal::FactoryNotPermitted`] for who neither operates nor configures the factory.
pub async fn list(app: &App, caller: Caller<'_>, project: &ProjectKey) -> Result<Vec<ScheduleView>> {
    let (entry, schedules) = enter(app, caller, project).await?;
    let mut schedules = schedules.0;
    bring_up_to_date(app, entry.org_id(), schedules.iter_mut().map(|schedule| &mut schedule.by)).await?;
    Ok(schedules.into_iter().map(ScheduleView::of).collect())
}

/// A schedule.
///
/// # Errors
/// [`Refusal::NotFound`]; as [`list`].
pub async fn get(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    id: ScheduleId,
) -> Result<ScheduleView> {
    let all = list(app, caller, project).await?;
    Ok(all.into_iter().find(|view| view.schedule.id == id).ok_or(Refusal::NotFound)?)
}

/// What a schedule did, newest first: the latest hundred.
///
/// # Errors
/// [`Refusal::NotFound`]; as [`list`].
pub async fn firings(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    id: ScheduleId,
) -> Result<Vec<Firing>> {
    let (entry, schedules) = enter(app, caller, project).await?;
    schedules.find(id).ok_or(Refusal::NotFound)?;
    let pk = keys::schedule_firings_pk(entry.org_id(), project, id);
    let rows = app.table.query(&Query::new(pk, Range::All, LATEST).descending()).await?.rows;
    Ok(rows.iter().map(Row::read).collect::<Result<_, _>>()?)
}

/// The next due times of a cron expression, to be looked at before a schedule is saved.
///
/// # Errors
/// [`Refusal::Invalid`]; as [`list`].
pub async fn preview(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    cron: &str,
    time_zone: &str,
) -> Result<Vec<Timestamp>> {
    enter(app, caller, project).await?;
    Ok(Cron::parse(cron, time_zone).map_err(Refusal::from)?.upcoming(app.now(), SHOWN))
}

async fn enter(app: &App, caller: Caller<'_>, project: &ProjectKey) -> Result<(Entry, Schedules)> {
    let wanted = |org| keys::schedules(org, project);
    let (entry, row) = enter_project_with(app, caller, project, Capability::SeeProject, wanted).await?;
    require_factory_area(&entry)?;
    Ok((entry, RowOf::or_default(row.as_ref())?))
}
