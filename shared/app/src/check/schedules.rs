//! Checks recurring schedules, the rows that say when they are due, and the records of their firings.

use svc_domain::ids::{OrgId, ProjectKey, ScheduleId};
use svc_domain::run::Run;
use svc_domain::schedule::{Firing, Outcome, Schedules};
use svc_storage::keys;

use super::context::{CheckContext, Subject, Verdict};
use super::item_or_mark::item_or_mark;
use super::kind::Kind;
use super::projects::project_of;
use crate::factory::schedules::Pointer;

pub(super) const KINDS: &[Kind] = &[
    Kind::new("PROJ#<org>#<KEY>", "SCHEDULES", schedules),
    Kind::new("DUE", "<time>#<org>#<KEY>#<schedule>", due),
    Kind::new("DONE#<org>#<KEY>#<schedule>", "<time>#<cause>", firing),
];

fn schedules(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, project) = project_of(subject, context)?;
    let schedules: Schedules = subject.read(context)?;
    for schedule in &schedules.0 {
        context
            .demand(&keys::playbook(org, &project, schedule.playbook), "playbook that a schedule names")?;
        if let Some(agent) = schedule.agent {
            context.demand(&keys::agent(org, agent), "agent that a schedule names")?;
        }
        if let Some(due) = schedule.due {
            let place = keys::due_schedule(due.as_millisecond(), org, &project, schedule.id);
            context.demand(&place, "place of a schedule among those that are due")?;
        }
    }
    Ok(())
}

fn due(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let Pointer { org, project, schedule, due } = subject.read(context)?;
    subject.is_named(context, &keys::due_schedule(due.as_millisecond(), org, &project, schedule));
    let schedules: Option<Schedules> =
        context.need(&keys::schedules(org, &project), "row of the project's schedules")?;
    let known = schedules.as_ref().map(|schedules| schedules.find(schedule).and_then(|known| known.due));
    if known.is_some_and(|known| known != Some(due)) {
        context.broken("the schedule is not due then");
    }
    Ok(())
}

fn firing(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, project): (OrgId, ProjectKey) = project_of(subject, context)?;
    let schedule: ScheduleId = subject.part("schedule", context)?;
    let firing: Firing = subject.read(context)?;
    let (millis, by_hand) = (firing.at.as_millisecond(), firing.by.is_some());
    subject.is_named(context, &keys::schedule_firing(org, &project, firing.schedule, millis, by_hand));
    // A schedule may be deleted since; the row of all of them stays.
    context.demand(&keys::schedules(org, &project), "row of the project's schedules")?;
    let Outcome::Started { item, run } = firing.outcome else { return Ok(()) };
    item_or_mark(context, org, &item, "item that it made")?;
    let started = context.need::<Run>(&keys::run(org, run), "run that it started")?;
    if started.is_some_and(|run| run.schedule != Some(schedule)) {
        context.broken("the run that it names was started by something else");
    }
    Ok(())
}
