//! What the commands of this noun share: how they name a schedule and how they show it.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use svc_api::factory::{Schedule, ScheduleFiring, UpdateSchedule};

use super::playbooks::Playbooks;
use crate::commands::in_project::InProject;
use crate::commands::named::{Named, pick};
use crate::failure::Failure;
use crate::output::{Cell, Column, Table, when};
use crate::session::Session;

/// A schedule and its project.
#[derive(clap::Args)]
pub(crate) struct Which {
    /// Name, in any case, or id of the schedule
    #[arg(value_name = "SCHEDULE")]
    pub(super) schedule: String,
    #[command(flatten)]
    pub(super) project: InProject,
}

impl Which {
    pub(super) async fn find(&self, org: &str, session: &Session<'_>) -> Result<Schedule, Failure> {
        let schedules = session.org(org).schedules(self.project.key(session).await?.as_str()).await?;
        pick("schedule", &self.schedule, schedules, true, |known| Named { id: &known.id, name: &known.name })
    }
}

/// Pauses or resumes a schedule.
pub(super) async fn set_paused(which: &Which, paused: bool, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let found = which.find(&org, session).await?;
    let change = UpdateSchedule { version: found.version, paused: Some(paused), ..UpdateSchedule::default() };
    let project = which.project.key(session).await?;
    let schedule = session.org(&org).update_schedule(project.as_str(), &found.id, &change).await?;
    session.output.one(&schedule, table)
}

/// When a schedule is due next, or that it is paused.
fn next(schedule: &Schedule) -> String {
    match schedule.next_runs.first() {
        Some(next) => on_its_clock(*next, &schedule.time_zone),
        None => "paused".to_owned(),
    }
}

/// A due time as the clocks of the schedule's time zone show it, such as `Mon 2026-11-23 06:00 CET`.
pub(super) fn on_its_clock(at: Timestamp, zone: &str) -> String {
    match TimeZone::get(zone) {
        Ok(zone) => at.to_zoned(zone).strftime("%a %Y-%m-%d %H:%M %Z").to_string(),
        // This machine does not know the zone.
        Err(_) => when(at),
    }
}

/// What a schedule did last: the item that it made, or why it made none.
pub(super) fn last(schedule: &Schedule) -> String {
    match (&schedule.last_skipped_reason, &schedule.last_item) {
        (Some(reason), _) => format!("skipped: {reason}"),
        (None, Some(item)) => format!("made {item}"),
        (None, None) => "-".to_owned(),
    }
}

/// Schedules, one a row.
pub(super) fn table(schedules: &[Schedule]) -> Table {
    table_with(schedules, None)
}

/// The same, with the playbooks that they follow where those are known.
pub(super) fn table_with(schedules: &[Schedule], playbooks: Option<&Playbooks>) -> Table {
    let mut columns = vec![
        Column::flexible("CRON"),
        Column::flexible("TIME ZONE").minor(),
        Column::fixed("NEXT"),
        Column::flexible("SAVED BY").minor(),
        Column::flexible("NAME"),
    ];
    columns.extend(playbooks.map(|_| Column::flexible("PLAYBOOK")));
    columns.push(Column::flexible("LAST"));
    let mut table = Table::new(columns);
    for schedule in schedules {
        let mut row: Vec<Cell> = vec![
            schedule.cron.as_str().into(),
            schedule.time_zone.as_str().into(),
            next(schedule).into(),
            schedule.saved_by.name.as_str().into(),
            schedule.name.as_str().into(),
        ];
        row.extend(playbooks.map(|playbooks| playbooks.word(schedule).into()));
        row.push(last(schedule).into());
        table.row(row);
    }
    table
}

/// What a schedule did, one firing a row, on the clocks of its time zone.
pub(super) fn firing_table(firings: &[ScheduleFiring], zone: &str) -> Table {
    Table::of(firings)
        .fixed("DUE", |firing| on_its_clock(firing.at, zone))
        .fixed("ITEM", |firing| firing.item.as_deref().unwrap_or("-"))
        .flexible("BY", |firing| firing.fired_by.as_ref().map_or("-", |by| by.name.as_str()))
        .flexible("WHAT CAME OF IT", |firing| {
            let outcome = outcome(firing.run.as_deref(), firing.skipped_reason.as_deref());
            match firing.missed_since {
                Some(missed) => format!("{outcome} (missed since {})", on_its_clock(missed, zone)),
                None => outcome,
            }
        })
        .end()
}

/// What came of a firing, of a schedule or a rule.
pub(in crate::commands) fn outcome(run: Option<&str>, skipped: Option<&str>) -> String {
    match run {
        Some(run) => format!("started run {run}"),
        None => format!("skipped: {}", skipped.unwrap_or("no reason given")),
    }
}
