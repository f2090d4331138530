//! What the commands of this noun share: how they name a thing and how they show it.

use crate::failure::Failure;
use crate::output::{Pairs, name, when};
use crate::session::Session;
use crate::values::LastDay;
use svc_api::tracker::{Sprint, Work};

/// Says which days were understood where the last one was reckoned from the first.
pub(super) fn say_days(end: Option<LastDay>, sprint: &Sprint, session: &Session<'_>) {
    let (Some(LastDay::After(_)), Some(last)) = (end, sprint.end) else { return };
    let named = |day: jiff::civil::Date| day.strftime("%A %Y-%m-%d").to_string();
    session.output.say(&match sprint.start {
        Some(first) => format!("from {} to {}", named(first), named(last)),
        None => format!("to {}, counted from today: the sprint has no first day", named(last)),
    });
}

/// What is left to do, of what was estimated.
pub(super) fn left(work: Work) -> String {
    format!("{} of {}", work.remaining, work.estimate)
}

/// How many items are unfinished, of all.
pub(super) fn open(work: Work) -> String {
    format!("{} of {}", work.unfinished, work.items)
}

pub(super) fn show(sprint: &Sprint, session: &Session<'_>) -> Result<(), Failure> {
    if session.output.json { session.output.json(sprint) } else { session.output.pairs(&pairs(sprint)) }
}

pub(super) fn pairs(sprint: &Sprint) -> Pairs {
    let mut pairs = Pairs::default();
    pairs.add("id", sprint.id.as_str());
    pairs.add("name", sprint.name.as_str());
    pairs.maybe("goal", Some(sprint.goal.as_str()).filter(|goal| !goal.is_empty()));
    pairs.add("state", name(&sprint.state));
    pairs.add("project", sprint.project.as_str());
    pairs.add("team", format!("{} ({})", sprint.team.key, sprint.team.name));
    pairs.maybe("first day", sprint.start.map(|day| day.to_string()));
    pairs.maybe("last day", sprint.end.map(|day| day.to_string()));
    pairs.maybe("capacity", sprint.capacity.map(|capacity| capacity.to_string()));
    pairs.add("unfinished", open(sprint.work));
    pairs.add("left", left(sprint.work));
    pairs.maybe("started", sprint.started_at.map(when));
    if let Some(completion) = &sprint.completion {
        pairs.add("completed", format!("{} by {}", when(completion.at), completion.by.name));
        pairs.add("unfinished to", completion.unfinished_to.as_deref().unwrap_or("backlog"));
    }
    pairs.add("version", sprint.version.to_string());
    pairs
}
