//! Why a queued run waits, in a sentence for people (specification section 7, symptoms without a reason).

use jiff::Timestamp;

use super::{Named, Run, State};
use crate::agent::Agent;
use crate::budget::Over;
use crate::harness::Harness;
use crate::identity::Org;
use crate::ids::{ItemKey, RunnerId};
use crate::project::Project;

impl Run {
    /// Whether it waits while an item that blocks its own is open. Refining the text of a ticket hurts nobody.
    pub fn waits_for_blockers(&self) -> bool {
        !self.despite_blockers && !self.is_refinement()
    }
}

/// A runner as far as waiting for it is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Id.
    pub id: RunnerId,
    /// Name.
    pub name: String,
    /// Whether its secret is refused.
    pub disabled: bool,
    /// Whether it was heard of within the last minute.
    pub online: bool,
    /// Harnesses that it can start.
    pub harnesses: Vec<Harness>,
    /// Whether it does fewer runs than it may at once.
    pub has_room: bool,
    /// Whether it takes none, because its disk is full.
    pub disk_full: bool,
}

/// Why a run that was queued earlier does not begin now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The organization accepts no changes.
    ReadOnlyOrganization,
    /// The project accepts no changes.
    ArchivedProject,
    /// The agent is disabled.
    DisabledAgent,
    /// The agent was deleted, and can be restored until then.
    DeletedAgent(Timestamp),
    /// The person the person who started the run may no longer start AI work here.
    RequesterMayNot,
    /// A budget is used up.
    OverBudget(Over),
    /// Open items block the run's: those that the reader sees.
    Blocked(Vec<ItemKey>),
}

impl Obstacle {
    /// What keeps a run of this organization, project and agent from beginning. One that is gone keeps it too.
    /// `permitted` says whether the person who started it may start AI work in the project now.
    pub fn of(
        org: Option<&Org>,
        project: Option<&Project>,
        agent: Option<&Agent>,
        permitted: bool,
    ) -> Option<Self> {
        if org.is_none_or(|org| org.read_only) {
            return Some(Self::ReadOnlyOrganization);
        }
        if project.is_none_or(|project| project.archived) {
            return Some(Self::ArchivedProject);
        }
        if let Some(deletion) = agent.and_then(|agent| agent.deleted.as_ref()) {
            return Some(Self::DeletedAgent(deletion.until()));
        }
        if agent.is_none_or(|agent| agent.disabled) {
            return Some(Self::DisabledAgent);
        }
        (!permitted).then_some(Self::RequesterMayNot)
    }

    /// The obstacle in words.
    pub const fn why(&self) -> &'static str {
        match self {
            Self::ReadOnlyOrganization => "the organization is read-only",
            Self::ArchivedProject => "the project is archived",
            Self::DisabledAgent => "the agent is disabled",
            Self::DeletedAgent(_) => "the agent was deleted",
            Self::RequesterMayNot => "the person who started the run may no longer start AI work here",
            Self::OverBudget(_) => "a budget is used up",
            Self::Blocked(_) => "open items block the item",
        }
    }

    fn sentence(&self, run: &Run, now: Timestamp) -> String {
        match self {
            Self::ReadOnlyOrganization => {
                "The organization is read-only. The run begins when the organization is writable again; cancel it to \
                free the item."
                    .to_owned()
            }
            Self::ArchivedProject => {
                "The project is archived. The run begins when it is unarchived; cancel it to free the item."
                    .to_owned()
            }
            Self::DisabledAgent => format!(
                "The agent {} is disabled. Enable it, or cancel the run and start it with another agent.",
                run.agent.name
            ),
            Self::DeletedAgent(until) if now < *until => format!(
                "The agent {} was deleted. Restore it within its 30 days, or cancel the run and start it with another \
                 agent.",
                run.agent.name
            ),
            Self::DeletedAgent(_) => format!(
                "The agent {} was deleted and can no longer be restored. Cancel the run and start it with another agent.",
                run.agent.name
            ),
            Self::RequesterMayNot => format!(
                "{} started this run but may no longer start AI work here. Cancel it, and ask somebody with the \
                permission to start another.",
                run.requested_by.name
            ),
            Self::OverBudget(Over { whose, what, until_tomorrow }) => {
                let when = if *until_tomorrow { "tomorrow (UTC)" } else { "when another run ends" };
                format!(
                    "The {whose} budget for {what} is used up. The run begins {when}, or when an Admin raises the \
                     budget; cancel it to free the item."
                )
            }
            Self::Blocked(by) => format!(
                "{} The run begins when that is resolved or closed. To begin at once, cancel it and start a run by hand.",
                blocked_by(run, by)
            ),
        }
    }
}

fn blocked_by(run: &Run, open: &[ItemKey]) -> String {
    let blocker = match open {
        [] => "work that you cannot see".to_owned(),
        [one] => one.to_string(),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(ToString::to_string).collect();
            format!("{} and {last}", first.join(", "))
        }
    };
    format!("{} is blocked by {blocker}.", run.item)
}

/// What a queued run waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wait<'a> {
    Obstacle(&'a Obstacle),
    Until(Timestamp),
    ChosenBusy(&'a Candidate),
    ChosenFull(&'a Candidate),
    ChosenOffline(&'a Candidate),
    NoRunner,
    NoneOnline,
    NoneWithHarness,
    AllBusy,
    AllFull,
}

impl Wait<'_> {
    /// What somebody needs who can do something about it.
    fn told_to_operators(self, run: &Run, now: Timestamp) -> String {
        let harness = run.harness.display_name();
        match self {
            Self::Obstacle(obstacle) => obstacle.sentence(run, now),
            Self::Until(at) => starts_at(at),
            Self::ChosenBusy(chosen) => {
                format!("The chosen runner {} is busy with another run.", chosen.name)
            }
            Self::ChosenFull(chosen) => {
                format!(
                    "The disk of the chosen runner {} is full: it takes no runs. Free some space there.",
                    chosen.name
                )
            }
            Self::ChosenOffline(chosen) => format!(
                "The chosen runner {} is offline. Start it, or cancel the run and start it again for any \
                 runner.",
                chosen.name
            ),
            Self::NoRunner => "There is no runner yet. Create one and start it on a machine.".to_owned(),
            Self::NoneOnline => "No runner is online. Start one with `svc runner start`.".to_owned(),
            Self::NoneWithHarness => {
                let instead = match run.harness_is_chosen {
                    true => "cancel the run and start it with another harness",
                    false => "change the playbook",
                };
                format!("No online runner has {harness}. Install it on a runner, or {instead}.")
            }
            Self::AllBusy => format!("Every online runner with {harness} is busy."),
            Self::AllFull => {
                format!(
                    "The disk of every online runner with {harness} is full: they take no runs. Free some space there."
                )
            }
        }
    }

    /// The kind of wait alone: no names of machines, nothing of what somebody may do, nothing to do about it.
    fn told_to_others(self, run: &Run) -> String {
        let sentence = match self {
            Self::Until(at) => return starts_at(at),
            Self::Obstacle(Obstacle::ReadOnlyOrganization) => "The organization is read-only.",
            Self::Obstacle(Obstacle::ArchivedProject) => "The project is archived.",
            Self::Obstacle(Obstacle::DisabledAgent) => "The agent is disabled.",
            Self::Obstacle(Obstacle::DeletedAgent(_)) => "The agent was deleted.",
            Self::Obstacle(Obstacle::RequesterMayNot) => "It waits for somebody who may start AI work here.",
            Self::Obstacle(Obstacle::OverBudget(_)) => "A budget for AI work is used up.",
            Self::Obstacle(Obstacle::Blocked(open)) => return blocked_by(run, open),
            Self::ChosenBusy(_) => "The chosen runner is busy with another run.",
            Self::ChosenFull(_) => "The chosen runner takes no runs at present.",
            Self::ChosenOffline(_) => "The chosen runner is offline.",
            Self::NoRunner => "There is no runner yet.",
            Self::NoneOnline => "No runner is online.",
            Self::NoneWithHarness => "No online runner has what it needs.",
            Self::AllBusy => "Every online runner is busy.",
            Self::AllFull => "The online runners take no runs at present.",
        };
        sentence.to_owned()
    }
}

fn starts_at(at: Timestamp) -> String {
    format!("It starts at {at}.")
}

/// Where a run would begin at once if it were queued now.
///
/// # Errors
/// What it would wait for, in a sentence.
pub fn begins_on(
    run: &Run,
    obstacle: Option<&Obstacle>,
    runners: &[Candidate],
    now: Timestamp,
) -> Result<Named<RunnerId>, String> {
    let waits = || reason(run, obstacle, runners, now, true).unwrap_or_default();
    let State::Queued(waiting) = &run.state else { return Err(waits()) };
    if obstacle.is_some() || now < waiting.available_at {
        return Err(waits());
    }
    let ready = ready(run, runners);
    ready.map(|runner| Named { id: runner.id, name: runner.name.clone() }).ok_or_else(waits)
}

/// A runner that would take the run within seconds.
fn ready<'a>(run: &Run, runners: &'a [Candidate]) -> Option<&'a Candidate> {
    let usable = || runners.iter().filter(|runner| !runner.disabled);
    let chosen = run.chosen_runner.as_ref().and_then(|chosen| usable().find(|r| r.id == chosen.id));
    let takes = |runner: &&Candidate| match chosen {
        Some(chosen) => chosen.id == runner.id,
        None => runner.harnesses.contains(&run.harness),
    };
    usable().filter(|runner| runner.online && runner.has_room && !runner.disk_full).find(takes)
}

/// What a queued run waits for, for factory operators or for others; `None` for one that does not wait, also while a
/// runner with room is about to take it.
pub fn reason(
    run: &Run,
    obstacle: Option<&Obstacle>,
    runners: &[Candidate],
    now: Timestamp,
    operator: bool,
) -> Option<String> {
    let wait = wait(run, obstacle, runners, now)?;
    Some(if operator { wait.told_to_operators(run, now) } else { wait.told_to_others(run) })
}

fn wait<'a>(
    run: &Run,
    obstacle: Option<&'a Obstacle>,
    runners: &'a [Candidate],
    now: Timestamp,
) -> Option<Wait<'a>> {
    let State::Queued(waiting) = &run.state else { return None };
    if let Some(obstacle) = obstacle {
        return Some(Wait::Obstacle(obstacle));
    }
    if now < waiting.available_at {
        return Some(Wait::Until(waiting.available_at));
    }
    if ready(run, runners).is_some() {
        return None;
    }
    let usable = || runners.iter().filter(|runner| !runner.disabled);
    let chosen = run.chosen_runner.as_ref().and_then(|chosen| usable().find(|r| r.id == chosen.id));
    if let Some(chosen) = chosen {
        return Some(match (chosen.online, chosen.disk_full) {
            (true, true) => Wait::ChosenFull(chosen),
            (true, false) => Wait::ChosenBusy(chosen),
            (false, _) => Wait::ChosenOffline(chosen),
        });
    }
    if usable().next().is_none() {
        return Some(Wait::NoRunner);
    }
    let mut online = usable().filter(|runner| runner.online).peekable();
    if online.peek().is_none() {
        return Some(Wait::NoneOnline);
    }
    let able: Vec<&Candidate> = online.filter(|runner| runner.harnesses.contains(&run.harness)).collect();
    Some(match able.as_slice() {
        [] => Wait::NoneWithHarness,
        able if able.iter().all(|runner| runner.disk_full) => Wait::AllFull,
        _ => Wait::AllBusy,
    })
}
