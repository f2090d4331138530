//! Checks runs and their places in lists, queue and live runs.

use jiff::SignedDuration;
use svc_domain::ids::{ItemKey, OrgId, RunId};
use svc_domain::log::LogHead;
use svc_domain::run::numbers::EndedRun;
use svc_domain::run::{Run, State};
use svc_storage::keys;

use super::context::{CheckContext, Stop, Subject, Verdict};
use super::item_or_mark::item_or_mark;
use super::kind::Kind;
use super::projects::is_gone;
use crate::factory::{LiveEntry, QueueEntry, RunEntry};

pub(super) const KINDS: &[Kind] = &[
    Kind::new("RUN#<org>#<run>", "RUN", run),
    Kind::new("RUN#<org>#<run>", "PROMPT", |subject, context| {
        subject.read::<String>(context)?;
        run_of(subject, context).map(drop)
    }),
    Kind::new("RUN#<org>#<run>", "LOG", log),
    Kind::new("RUNREF#<run>", "ORG", run_ref),
    Kind::new("RUNS#<org>", "<run>", entry),
    Kind::new("RUNS#<org>", "<moment>#<PRJ-12>", moved),
    Kind::new("QUEUE#<org>", "<available>#<run>", queued),
    Kind::new("LIVE#<org>", "<run>", live),
    Kind::new("TAKEN#<org>", "<runner>#<request>", taken),
    Kind::new("ENDED#<org>", "<time>#<run>", ended),
];

/// The run that a row is of; tells when there is none.
fn run_of(subject: &Subject<'_>, context: &CheckContext<'_>) -> Result<Option<Run>, Stop> {
    let (org, run): (OrgId, RunId) = (subject.part("org", context)?, subject.part("run", context)?);
    context.need(&keys::run(org, run), "such run")
}

/// Every line that the head counts is in a batch that can be read. Batches are swept when they are old, the first ones
/// first: what an old run lacks at the beginning is no loss.
fn log(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let head: LogHead = subject.read(context)?;
    let Some(run) = run_of(subject, context)? else { return Ok(()) };
    let stored = context.log(subject.part("org", context)?, run.id)?;
    let kept = SignedDuration::from_hours(24 * i64::from(stored.days_kept));
    let is_old = context.now().duration_since(run.queued_at) >= kept;
    let about = |what: String| format!("the log of run {} of {} {what}", run.id, run.item);
    let lines = |from: u64, to: u64| match from == to {
        true => format!("lacks line {from}"),
        false => format!("lacks lines {from} to {to}"),
    };
    let mut next = 1;
    for batch in stored.batches.iter().filter(|batch| batch.first <= head.kept) {
        let is_swept = next == 1 && is_old;
        if batch.first > next && !is_swept {
            context.broken(about(lines(next, batch.first - 1)));
        }
        match batch.lines {
            Some(lines) => next = batch.first + lines,
            None => {
                context
                    .broken(about(format!("has a batch that cannot be read, from line {} on", batch.first)));
                let after = stored.batches.iter().find(|other| other.first > batch.first);
                next = after.map_or(head.kept + 1, |after| after.first);
            }
        }
    }
    if next <= head.kept && !(next == 1 && is_old) {
        context.broken(about(lines(next, head.kept)));
    }
    Ok(())
}

fn run(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    let run: Run = subject.read(context)?;
    subject.is_named(context, &keys::run(org, run.id));
    let named: Option<OrgId> = context.need(&keys::run_ref(run.id), "pointer to it by its id")?;
    if named.is_some_and(|named| named != org) {
        context.broken("the pointer by its id names another organization");
    }
    context.demand(&keys::run_entry(org, run.id), "entry of it in the list of runs")?;
    context.demand(&keys::item_run(org, &run.item, run.id), "pointer to it from its item")?;
    context.demand(&keys::run_prompt(org, run.id), "prompt of it")?;
    let item = item_or_mark(context, org, &run.item, "item of it")?;
    if let Some(comment) = run.comment.filter(|_| item.is_some()) {
        context.demand(&keys::comment(org, &run.item, comment), "comment that asked for it")?;
    }
    if run.is_refinement() && item.is_some() {
        context.demand(&keys::refinement(org, &run.item), "refinement of its item")?;
    }
    let named_live = item.is_some_and(|item| item.live_run == Some(run.id));
    match &run.state {
        State::Ended(_) if named_live => context.broken("it has ended, and its item names it as live"),
        State::Ended(_) => {}
        State::Queued(_) | State::Assigned(_) | State::Running(_) if !named_live => {
            context.broken("its item does not name it as its live run");
        }
        State::Queued(waiting) => {
            let place = keys::queued_run(org, waiting.available_at.as_millisecond(), run.id);
            context.demand(&place, "place of it in the queue")?;
        }
        State::Assigned(_) | State::Running(_) => {
            context.demand(&keys::live_run(org, run.id), "entry of it among the live runs")?;
            if let Some(hold) = run.hold() {
                context.demand(&keys::credential(&hold.token_hash), "credential of its agent")?;
            }
        }
    }
    Ok(())
}

fn run_ref(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (run, org): (RunId, OrgId) = (subject.part("run", context)?, subject.read(context)?);
    context.demand(&keys::run(org, run), "such run").map(drop)
}

fn entry(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let entry: RunEntry = subject.read(context)?;
    if run_of(subject, context)?.is_some_and(|run| RunEntry::of(&run) != entry) {
        context.broken("it does not match the run");
    }
    Ok(())
}

fn moved(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, from): (OrgId, ItemKey) = (subject.part("org", context)?, subject.part("PRJ-12", context)?);
    let runs: Vec<RunId> = subject.read(context)?;
    if runs.is_empty() {
        context.broken("it names no run");
    }
    if subject.row.ttl.is_none() {
        context.broken("it never expires");
    }
    if !is_gone(context, org, &from.project)? {
        context.demand(&keys::transfer(org, &from), "transfer of the item")?;
    }
    Ok(())
}

fn queued(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    let entry: QueueEntry = subject.read(context)?;
    let Some(run) = run_of(subject, context)? else { return Ok(()) };
    match &run.state {
        State::Queued(waiting) => {
            subject.is_named(context, &keys::queued_run(org, waiting.available_at.as_millisecond(), run.id));
            if QueueEntry::of(&run) != entry {
                context.broken("it does not match the run");
            }
        }
        State::Assigned(_) | State::Running(_) | State::Ended(_) => context.broken("the run is not queued"),
    }
    Ok(())
}

fn live(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let entry: LiveEntry = subject.read(context)?;
    let Some(run) = run_of(subject, context)? else { return Ok(()) };
    let held = match &run.state {
        State::Assigned(hold) => Some(hold),
        State::Running(working) => Some(&working.hold),
        State::Queued(_) | State::Ended(_) => None,
    };
    match held {
        None => context.broken("no runner holds the run"),
        Some(hold) if hold.runner.id != entry.runner || entry.run != run.id => {
            context.broken("another runner holds the run");
        }
        Some(hold) => {
            let told = [
                entry.project.is_some_and(|project| project != run.item.project),
                entry.agent.is_some_and(|agent| agent != run.agent.id),
                entry.since.is_some_and(|since| since != hold.since),
            ];
            if told.contains(&true) {
                context.broken("it does not say what the run says");
            }
        }
    }
    Ok(())
}

fn taken(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    let id: RunId = subject.read(context)?;
    let Some(run) = context.need::<Run>(&keys::run(org, id), "such run")? else { return Ok(()) };
    match run.hold().filter(|_| run.ended().is_none()) {
        None => context.broken("no runner holds the run"),
        Some(hold) => subject.is_named(context, &keys::taken_run(org, hold.runner.id, &hold.request)),
    }
    Ok(())
}

fn ended(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    let kept: EndedRun = subject.read(context)?;
    subject.is_named(context, &keys::ended_run(org, kept.at.as_millisecond(), kept.run));
    let said = |run: &Run| {
        EndedRun::of(run).map(|said| {
            // Older versions did not keep it.
            let taken_at = kept.taken_at.and(said.taken_at);
            let model = kept.model.as_ref().and(said.model);
            // It is counted where it ran, also when its item has moved to another project.
            EndedRun { taken_at, model, project: kept.project.clone(), ..said }
        })
    };
    // The numbers of a project that was deleted for good stay.
    if is_gone(context, org, &kept.project)? {
        return Ok(());
    }
    if run_of(subject, context)?.is_some_and(|run| said(&run).as_ref() != Some(&kept)) {
        context.broken("it does not say what the run says");
    }
    Ok(())
}
