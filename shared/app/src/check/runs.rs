//! Judges runs and their places in lists, queue and live runs.

use svc_domain::ids::{OrgId, RunId};
use svc_domain::item::Item;
use svc_domain::log::LogHead;
use svc_domain::run::{Run, State};
use svc_storage::keys;

use super::kinds::Kind;
use super::look::{Look, Stop, Subject, Verdict};
use crate::factory::{LiveEntry, QueueEntry, RunEntry};

pub(super) const KINDS: &[Kind] = &[
    Kind::new("RUN#<org>#<run>", "RUN", run),
    Kind::new("RUN#<org>#<run>", "PROMPT", |subject, look| {
        subject.read::<String>(look)?;
        run_of(subject, look).map(drop)
    }),
    Kind::new("RUN#<org>#<run>", "LOG", |subject, look| {
        subject.read::<LogHead>(look)?;
        run_of(subject, look).map(drop)
    }),
    Kind::new("RUNREF#<run>", "ORG", run_ref),
    Kind::new("RUNS#<org>", "<run>", entry),
    Kind::new("QUEUE#<org>", "<available>#<run>", queued),
    Kind::new("LIVE#<org>", "<run>", live),
];

/// The run that a row is of; tells when there is none.
fn run_of(subject: &Subject<'_>, look: &Look<'_>) -> Result<Option<Run>, Stop> {
    let (org, run): (OrgId, RunId) = (subject.part("org", look)?, subject.part("run", look)?);
    look.need(&keys::run(org, run), "such run")
}

fn run(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    let org: OrgId = subject.part("org", look)?;
    let run: Run = subject.read(look)?;
    subject.is_named(look, &keys::run(org, run.id));
    let named: Option<OrgId> = look.need(&keys::run_ref(run.id), "pointer to it by its id")?;
    if named.is_some_and(|named| named != org) {
        look.broken("the pointer by its id names another organization");
    }
    look.demand(&keys::run_entry(org, run.id), "entry of it in the list of runs")?;
    look.demand(&keys::item_run(org, &run.item, run.id), "pointer to it from its item")?;
    look.demand(&keys::run_prompt(org, run.id), "prompt of it")?;
    let item: Option<Item> = look.need(&keys::item(org, &run.item), "item of it")?;
    let named_live = item.is_some_and(|item| item.live_run == Some(run.id));
    match &run.state {
        State::Ended(_) if named_live => look.broken("it has ended, and its item names it as live"),
        State::Ended(_) => {}
        State::Queued(_) | State::Assigned(_) | State::Running(_) if !named_live => {
            look.broken("its item does not name it as its live run");
        }
        State::Queued(waiting) => {
            let place = keys::queued_run(org, waiting.available_at.as_millisecond(), run.id);
            look.demand(&place, "place of it in the queue")?;
        }
        State::Assigned(_) | State::Running(_) => {
            look.demand(&keys::live_run(org, run.id), "entry of it among the live runs")?;
            if let Some(hold) = run.hold() {
                look.demand(&keys::credential(&hold.token_hash), "credential of its agent")?;
            }
        }
    }
    Ok(())
}

fn run_ref(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    let (run, org): (RunId, OrgId) = (subject.part("run", look)?, subject.read(look)?);
    look.demand(&keys::run(org, run), "such run").map(drop)
}

fn entry(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    let entry: RunEntry = subject.read(look)?;
    if run_of(subject, look)?.is_some_and(|run| RunEntry::of(&run) != entry) {
        look.broken("it does not say what the run says");
    }
    Ok(())
}

fn queued(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    let org: OrgId = subject.part("org", look)?;
    let entry: QueueEntry = subject.read(look)?;
    let Some(run) = run_of(subject, look)? else { return Ok(()) };
    match &run.state {
        State::Queued(waiting) => {
            subject.is_named(look, &keys::queued_run(org, waiting.available_at.as_millisecond(), run.id));
            if QueueEntry::of(&run) != entry {
                look.broken("it does not say what the run says");
            }
        }
        State::Assigned(_) | State::Running(_) | State::Ended(_) => look.broken("the run is not queued"),
    }
    Ok(())
}

fn live(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    let entry: LiveEntry = subject.read(look)?;
    let Some(run) = run_of(subject, look)? else { return Ok(()) };
    let held = match &run.state {
        State::Assigned(hold) => Some(hold),
        State::Running(working) => Some(&working.hold),
        State::Queued(_) | State::Ended(_) => None,
    };
    match held {
        None => look.broken("no runner holds the run"),
        Some(hold) if hold.runner.id != entry.runner || entry.run != run.id => {
            look.broken("another runner holds the run");
        }
        Some(_) => {}
    }
    Ok(())
}
