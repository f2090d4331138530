//! What must hold after each step of a simulation, read from the rows themselves.
//!
//! | invariant | why |
//! |---|---|
//! | an item names its one run that has not ended, and no other | at most one live run |
//! | an agent claims an item only while a run of it is at work or scheduled | no claim is left behind |
//! | a run that ended stays so, as it ended | terminal is final |
//! | a run that ended has one outcome comment, and its token is gone | the end is one commit |
//! | a queued run has its place in the queue, one at work its entry among the live ones | no run is forgotten |
//! | no request of a runner got two runs that it holds | a request may be repeated while its first call commits |
//! | a run was continued by itself at most twice | |
//! | each run of a rule has one record of its firing, and no entry of a state fired a rule twice | |
//! | each run of a schedule has one record of its firing, and no due time fired twice | |
//! | a mention that asked has one run, or one reply, or was taken back, and each run of a mention one mention | exactly once |
//! | the runs of an item's mentions are in the order of the mentions | |
//! | a refinement is at work exactly while its run is | |
//! | no run begins while as many are at work as the budget lets be at once | a budget is exceeded by no more than what was at work when it was set |
//! | a run begins on an item that others block only if a person started it by hand | |
//! | an item says whether one that blocks it is open, unless a message about it is on its way | no run waits for nothing |

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use svc_domain::budget::Budgets;
use svc_domain::comment::Comment;
use svc_domain::ids::{CommentId, ItemKey, OrgId, RunId};
use svc_domain::item::Item;
use svc_domain::item_link::LinkKind;
use svc_domain::mention::{
    self,
    request::{MentionRequest, MentionStatus},
};
use svc_domain::refinement::Refinement;
use svc_domain::refinement::machine::State as RefinementState;
use svc_domain::rule::{Firing, Outcome};
use svc_domain::run::{Run, RunKind, State};
use svc_domain::schedule;
use svc_domain::workflow::Workflow;
use svc_storage::{Key, Row, keys};

use super::memory::{Memory, Messages, Readings};

/// What was seen after the step before.
#[derive(Default)]
pub(super) struct Seen {
    /// How runs ended that had ended.
    endings: BTreeMap<RunId, String>,
    /// Which assignments were at work.
    at_work: BTreeSet<(RunId, u64)>,
    /// Version of the budgets.
    budgets: Option<u64>,
    /// Runs that a runner had.
    begun: BTreeSet<RunId>,
    /// Items that others blocked.
    blocked: BTreeSet<ItemKey>,
    /// Writes and messages that were done when it was judged last.
    judged: Option<(u64, u64)>,
    /// What rows said.
    readings: AllReadings,
}

#[derive(Default)]
struct AllReadings {
    runs: Readings<Run>,
    items: Readings<Item>,
    comments: Readings<Comment>,
    workflows: Readings<Workflow>,
    mentions: Readings<MentionRequest>,
    refinements: Readings<Refinement>,
    rules: Readings<Firing>,
    schedules: Readings<schedule::Firing>,
}

/// What does not hold now. Nothing is looked at again where nothing was written and no message was acknowledged since
/// the last look.
pub(super) fn broken(memory: &Memory, queue: &Messages, org: OrgId, seen: &mut Seen) -> Option<String> {
    let now = Some((memory.writes(), queue.done()));
    if std::mem::replace(&mut seen.judged, now) == now {
        return None;
    }
    let read = &mut seen.readings;
    let runs = memory.read("RUN#", |key| key.sk == "RUN", &mut read.runs);
    let items = memory.read("ITEM#", |key| key.sk == "ITEM", &mut read.items);
    let comments = memory.read("ITEM#", |key| key.sk.starts_with("COMMENT#"), &mut read.comments);
    let workflows = memory.read("PROJ#", |key| key.sk == "WORKFLOW", &mut read.workflows);
    let refinements = memory.read("ITEM#", |key| key.sk == "REFINEMENT", &mut read.refinements);
    let schedules = memory.read("DONE#", |_| true, &mut read.schedules);
    items
        .iter()
        .find_map(|item| of_item(item, &runs))
        .or_else(|| runs.iter().find_map(|run| of_run(run, memory, org, &comments)))
        .or_else(|| runs.iter().find_map(|run| final_state(run, &mut seen.endings)))
        .or_else(|| of_requests(&runs))
        .or_else(|| of_budgets(memory, &runs, seen))
        .or_else(|| of_blockers(&items, &runs, seen))
        .or_else(|| out_of_date(memory, queue, &items, workflows.last()?))
        .or_else(|| of_rules(memory, &runs, &mut seen.readings.rules))
        .or_else(|| of_schedules(&schedules, &runs))
        .or_else(|| of_refinements(&refinements, &runs))
        .or_else(|| of_mentions(memory, &mut seen.readings.mentions, &items, &runs, &comments))
}

fn of_mentions(
    memory: &Memory,
    read: &mut Readings<MentionRequest>,
    items: &[Rc<Item>],
    runs: &[Rc<Run>],
    comments: &[Rc<Comment>],
) -> Option<String> {
    let answers = replies(comments);
    for item in items {
        let of_item = format!("#{}", item.key);
        let asks = |key: &Key| key.pk.ends_with(&of_item) && key.sk.starts_with("MENTION#");
        let requests = memory.read("ITEM#", asks, read);
        let started: Vec<_> = requests
            .iter()
            .filter_map(|request| match request.state {
                mention::request::State::Started { run } => Some((request.at, run)),
                _ => None,
            })
            .collect();
        // Mentions of one moment come from several servers, and have no order.
        let queued_at = |id| runs.iter().find(|run| run.id == id).map(|run| run.queued_at);
        let mut begun: Vec<_> = started.iter().map(|(at, run)| (*at, queued_at(*run))).collect();
        begun.sort_unstable();
        if !begun.is_sorted_by_key(|(_, queued_at)| *queued_at) {
            return Some(format!("the mentions on {} were answered out of their order", item.key));
        }
        let asked = |run: &&Rc<Run>| run.item == item.key && run.kind == RunKind::FollowUp;
        if let Some(run) =
            runs.iter().filter(asked).find(|run| started.iter().all(|(_, started)| *started != run.id))
        {
            return Some(format!("no mention asked for {}", run.id));
        }
        let dropped = |request: &&Rc<MentionRequest>| request.status() == MentionStatus::Dropped;
        for request in requests.iter().filter(dropped) {
            if !answers.contains(&request.comment) {
                return Some(format!("the mention in {} was dropped without a word", request.comment));
            }
        }
    }
    None
}

/// The threads in which agents said something else than the outcome of a run.
fn replies(comments: &[Rc<Comment>]) -> BTreeSet<CommentId> {
    let by_agents = comments.iter().filter(|comment| comment.author.id.is_agent());
    by_agents.filter(|comment| comment.outcome_of.is_none()).filter_map(|comment| comment.reply_to).collect()
}

fn of_item(item: &Item, runs: &[Rc<Run>]) -> Option<String> {
    let live: Vec<&Rc<Run>> =
        runs.iter().filter(|run| run.item == item.key && !run.status().is_terminal()).collect();
    if live.len() > 1 {
        return Some(format!("{} has {} live runs", item.key, live.len()));
    }
    if item.live_run != live.first().map(|run| run.id) {
        return Some(format!(
            "{} names {:?} as its live run, and it is {:?}",
            item.key,
            item.live_run,
            live.first()
        ));
    }
    let claimed = item.claim.as_ref().is_some_and(|claim| claim.holder.id.is_agent());
    let at_work = live.first().is_some_and(|run| run.hold().is_some());
    let scheduled = live.first().is_some_and(|run| run.scheduled_for.is_some());
    if (claimed && !at_work && !scheduled) || (at_work && !claimed) {
        return Some(format!("{}: claimed by an agent: {claimed}, a runner is at it: {at_work}", item.key));
    }
    None
}

fn of_run(run: &Run, memory: &Memory, org: OrgId, comments: &[Rc<Comment>]) -> Option<String> {
    if run.auto_continues > 2 {
        return Some(format!("{} was continued {} times", run.id, run.auto_continues));
    }
    let said = comments.iter().filter(|comment| comment.outcome_of == Some(run.id)).count();
    match &run.state {
        State::Ended(ended) => {
            if said != 1 {
                return Some(format!("{} ended with {said} outcome comments", run.id));
            }
            let token = ended.hold.as_ref().map(|hold| keys::credential(&hold.token_hash));
            token.filter(|token| memory.has(token)).map(|_| format!("{} ended, and its token works", run.id))
        }
        State::Queued(waiting) => {
            let place = keys::queued_run(org, waiting.available_at.as_millisecond(), run.id);
            (!memory.has(&place)).then(|| format!("{} waits, and is not in the queue", run.id))
        }
        State::Assigned(_) | State::Running(_) => (!memory.has(&keys::live_run(org, run.id)))
            .then(|| format!("{} is at work, and not among the live runs", run.id)),
    }
}

fn of_requests(runs: &[Rc<Run>]) -> Option<String> {
    let mut held = BTreeMap::new();
    for run in runs.iter().filter(|run| !run.status().is_terminal()) {
        let Some(hold) = run.hold() else { continue };
        if let Some(other) = held.insert((hold.runner.id, &hold.request), run.id) {
            return Some(format!("{} of {} got {other} and {}", hold.request, hold.runner.name, run.id));
        }
    }
    None
}

/// Where the budgets are those of the step before.
fn of_budgets(memory: &Memory, runs: &[Rc<Run>], seen: &mut Seen) -> Option<String> {
    let read: Vec<(u64, Budgets)> = memory.each("ORG#", |row| {
        if row.key.sk == "BUDGETS" { Some((row.version, row.read().ok()?)) } else { None }
    });
    let (version, limit) = read
        .first()
        .map_or((None, None), |(version, budgets)| (Some(*version), budgets.organization.runs_at_once));
    let held = |run: &&Rc<Run>| matches!(run.state, State::Assigned(_) | State::Running(_));
    let now: BTreeSet<(RunId, u64)> = runs.iter().filter(held).map(|run| (run.id, run.fence)).collect();
    let before = std::mem::replace(&mut seen.at_work, now.clone());
    let same_budgets = std::mem::replace(&mut seen.budgets, version) == version;
    let begun = now.difference(&before).count();
    let over = limit.is_some_and(|limit| now.len() as u64 > limit);
    (same_budgets && begun > 0 && over)
        .then(|| format!("{begun} began, and {} are at work, of {limit:?} that may be", now.len()))
}

fn of_blockers(items: &[Rc<Item>], runs: &[Rc<Run>], seen: &mut Seen) -> Option<String> {
    let blocked: BTreeSet<ItemKey> =
        items.iter().filter(|item| item.has_open_blocker).map(|item| item.key.clone()).collect();
    let was_and_is = |key: &ItemKey| blocked.contains(key) && seen.blocked.contains(key);
    let began = |run: &&Rc<Run>| run.hold().is_some() && !seen.begun.contains(&run.id);
    let hasty = runs.iter().filter(began).find(|run| run.waits_for_blockers() && was_and_is(&run.item));
    let hasty = hasty.map(|run| format!("{} began, and {} is blocked", run.id, run.item));
    seen.begun.extend(runs.iter().filter(|run| run.hold().is_some()).map(|run| run.id));
    seen.blocked = blocked;
    hasty
}

fn out_of_date(memory: &Memory, queue: &Messages, items: &[Rc<Item>], workflow: &Workflow) -> Option<String> {
    const MESSAGE: &str = "noteBlockers";
    let waits = |row: &Row| row.doc.contains(MESSAGE).then_some(());
    if queue.holds(MESSAGE) || !memory.each("OUTBOX#", waits).is_empty() {
        return None;
    }
    let open = |key: &ItemKey| {
        let found = items.iter().find(|item| item.key == *key)?;
        Some(workflow.group_of(&found.state)?.is_open())
    };
    let is_right = |item: &&Rc<Item>| {
        item.has_open_blocker == item.linked(LinkKind::BlockedBy).any(|key| open(key) == Some(true))
    };
    let wrong = items.iter().find(|item| !is_right(item))?;
    Some(format!("{} says {} of the items that block it", wrong.key, wrong.has_open_blocker))
}

fn final_state(run: &Run, endings: &mut BTreeMap<RunId, String>) -> Option<String> {
    let now = run.ended().map(|ended| format!("{:?}", ended.ending));
    match (endings.get(&run.id), now) {
        (Some(before), now) if now.as_ref() != Some(before) => {
            Some(format!("{} ended as {before}, and is {now:?} now", run.id))
        }
        (None, Some(now)) => {
            endings.insert(run.id, now);
            None
        }
        (Some(_), _) | (None, None) => None,
    }
}

fn of_rules(memory: &Memory, runs: &[Rc<Run>], read: &mut Readings<Firing>) -> Option<String> {
    // The name of a record is the time, the entry of the state, and the rule.
    let fired: Vec<String> = memory.each("FIRED#", |row| {
        let mut parts = row.key.sk.split('#').skip(1);
        Some(format!("{}#{}", parts.next()?, parts.next()?))
    });
    let mut entries: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in &fired {
        *entries.entry(entry).or_default() += 1;
    }
    if let Some((entry, times)) = entries.iter().find(|(_, times)| **times > 1) {
        return Some(format!("the rule fired {times} times for {entry}"));
    }
    let firings = memory.read("FIRED#", |_| true, read);
    let started: Vec<RunId> = firings
        .iter()
        .filter_map(|firing| match firing.outcome {
            Outcome::Started { run } => Some(run),
            Outcome::Skipped { .. } => None,
        })
        .collect();
    let of_rules = runs.iter().filter(|run| run.rule.is_some() && run.earlier_run.is_none());
    let mut unrecorded = of_rules.filter(|run| started.iter().filter(|id| **id == run.id).count() != 1);
    unrecorded.next().map(|run| format!("no single record says that a rule started {}", run.id))
}

fn of_schedules(fired: &[Rc<schedule::Firing>], runs: &[Rc<Run>]) -> Option<String> {
    let mut due: Vec<_> = fired.iter().filter(|firing| firing.by.is_none()).map(|firing| firing.at).collect();
    let times = due.len();
    due.sort_unstable();
    due.dedup();
    if due.len() < times {
        return Some(format!(
            "of {times} firings of a schedule, {} were of a due time of their own",
            due.len()
        ));
    }
    let records = |run: &Rc<Run>| {
        let names = |firing: &&Rc<schedule::Firing>| matches!(&firing.outcome, schedule::Outcome::Started { run: id, item } if *id == run.id && *item == run.item);
        fired.iter().filter(names).count()
    };
    let mut of_schedules = runs.iter().filter(|run| run.schedule.is_some() && run.earlier_run.is_none());
    let unrecorded = of_schedules.find(|run| records(run) != 1)?;
    Some(format!("no single record says that a schedule started {}", unrecorded.id))
}

fn of_refinements(refinements: &[Rc<Refinement>], runs: &[Rc<Run>]) -> Option<String> {
    let at_work = |item: &ItemKey| {
        runs.iter().any(|run| run.item == *item && run.is_refinement() && !run.status().is_terminal())
    };
    refinements
        .iter()
        .find(|refinement| (refinement.state == RefinementState::Running) != at_work(&refinement.item))
        .map(|refinement| format!("the refinement of {} is {}", refinement.item, refinement.status()))
}
