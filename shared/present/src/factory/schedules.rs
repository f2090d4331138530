//! Recurring schedules, as they come in and go out.

use svc_api::factory as wire;
use svc_app::factory::schedules::{NewSchedule, ScheduleEdit, ScheduleView};
use svc_domain::item::ItemType;
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_domain::schedule::{Firing, Outcome};

use crate::actor::actor;
use crate::words::{Word as _, check};

/// The time zone where none is named.
const UTC: &str = "UTC";

/// A schedule to make.
///
/// # Errors
/// A word that this program does not know.
pub fn new_schedule(new: wire::NewSchedule) -> Result<NewSchedule, Refusal> {
    let mut errors = FieldErrors::default();
    let item_type = check("type", new.item_type, &mut errors);
    let harness = new.harness.and_then(|wanted| check("harness", wanted, &mut errors));
    errors.into_result()?;
    Ok(NewSchedule {
        name: new.name,
        cron: new.cron,
        time_zone: zone(new.time_zone),
        playbook: new.playbook,
        agent: new.agent,
        runner: new.runner,
        harness,
        // Without a type there are errors.
        item_type: item_type.unwrap_or(ItemType::Task),
        title: new.title,
        body: new.body,
        labels: new.labels,
        paused: new.paused,
    })
}

/// A change of a schedule.
///
/// # Errors
/// A word that this program does not know.
pub fn schedule_edit(change: wire::UpdateSchedule) -> Result<ScheduleEdit, Refusal> {
    let mut errors = FieldErrors::default();
    let item_type = change.item_type.and_then(|wanted| check("type", wanted, &mut errors));
    let harness = change.harness.into_option();
    let harness = harness.map(|wanted| wanted.and_then(|wanted| check("harness", wanted, &mut errors)));
    errors.into_result()?;
    Ok(ScheduleEdit {
        version: change.version,
        name: change.name,
        cron: change.cron,
        time_zone: change.time_zone,
        playbook: change.playbook,
        agent: change.agent.into_option(),
        runner: change.runner.into_option(),
        harness,
        item_type,
        title: change.title,
        body: change.body,
        labels: change.labels,
        paused: change.paused,
    })
}

/// The expression and the time zone whose due times are asked for.
pub fn preview(asked: wire::PreviewSchedule) -> (String, String) {
    (asked.cron, zone(asked.time_zone))
}

fn zone(named: Option<String>) -> String {
    named.unwrap_or_else(|| UTC.to_owned())
}

/// A schedule.
pub fn schedule(view: ScheduleView) -> wire::Schedule {
    let ScheduleView { schedule, next } = view;
    wire::Schedule {
        id: schedule.id.to_string(),
        name: schedule.name,
        cron: schedule.cron,
        time_zone: schedule.time_zone,
        playbook: schedule.playbook.to_string(),
        agent: schedule.agent.map(|agent| agent.to_string()),
        runner: schedule.runner.map(|runner| runner.to_string()),
        harness: schedule.harness.map(|harness| harness.sent()),
        item_type: schedule.item.item_type.sent(),
        title: schedule.item.title,
        body: schedule.item.body,
        labels: schedule.item.labels,
        paused: schedule.due.is_none(),
        paused_reason: schedule.paused_because,
        next_runs: next,
        last_item: schedule.last_item.map(|item| item.to_string()),
        last_skipped_reason: schedule.last_skipped,
        saved_by: actor(&schedule.by),
        version: schedule.version,
    }
}

/// What a schedule did.
pub fn firing(firing: Firing) -> wire::ScheduleFiring {
    let (item, run, skipped_reason) = match firing.outcome {
        Outcome::Started { item, run } => (Some(item.to_string()), Some(run.to_string()), None),
        Outcome::Skipped { reason } => (None, None, Some(reason)),
    };
    wire::ScheduleFiring {
        at: firing.at,
        missed_since: firing.missed_since,
        fired_by: firing.by.as_ref().map(actor),
        item,
        run,
        skipped_reason,
    }
}
