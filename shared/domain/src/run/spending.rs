//! What runs use of budgets ([`crate::budget`]): what is used today, which budget keeps a run from beginning, and what a
//! run has used beyond what it may.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::numbers::EndedRun;
use super::{Run, State, UsedSoFar};
use crate::budget::{Budgets, Limits, Over, RunBudget, Scope, Used};
use crate::ids::{AgentId, ProjectKey};

/// A run that a runner holds, as far as budgets are concerned.
#[derive(Clone, Debug, PartialEq)]
pub struct AtWork {
    /// Its project; not known of runs that an older version began.
    pub project: Option<ProjectKey>,
    /// Its agent.
    pub agent: Option<AgentId>,
    /// When it was taken.
    pub since: Timestamp,
    /// What it has used so far, as far as its runner knows.
    pub used: UsedSoFar,
}

/// The records of today's runs.
#[derive(Clone, Debug)]
pub struct Ledger {
    now: Timestamp,
    at_work: Vec<AtWork>,
    ended: Vec<EndedRun>,
}

/// When the day of this time began.
pub fn day_of(now: Timestamp) -> Timestamp {
    let midnight = now.to_zoned(TimeZone::UTC).start_of_day();
    midnight.map_or(now, |midnight| midnight.timestamp())
}

/// The limits of one run: the lowest of those of its scopes.
pub fn limits_of(budgets: &Budgets, run: &Run) -> RunBudget {
    let all = scopes_of(run).map(|scope| budgets.limits(&scope));
    let least = |limit: fn(&Limits) -> Option<u64>| all.iter().filter_map(limit).min();
    RunBudget {
        minutes: least(|limits| limits.minutes_a_run),
        tokens: least(|limits| limits.tokens_a_run),
        cost: all.iter().filter_map(|limits| limits.cost_a_run).reduce(f64::min),
    }
}

/// The budget that keeps a run from beginning, if one does.
pub fn over(budgets: &Budgets, run: &Run, ledger: &Ledger) -> Option<Over> {
    let whose = ["organization's", "project's", "agent's"];
    scopes_of(run).iter().zip(whose).find_map(|(scope, whose)| {
        let limits = Some(budgets.limits(scope)).filter(|limits| !limits.is_empty())?;
        let (what, until_tomorrow) = limits.over(&ledger.used(scope))?;
        Some(Over { whose, what, until_tomorrow })
    })
}

fn scopes_of(run: &Run) -> [Scope; 3] {
    [Scope::Organization, Scope::Project(run.item.project.clone()), Scope::Agent(run.agent.id)]
}

impl Ledger {
    /// Of the runs that are at work, and those that ended today.
    pub const fn new(now: Timestamp, at_work: Vec<AtWork>, ended: Vec<EndedRun>) -> Self {
        Self { now, at_work, ended }
    }

    /// What is used of the budget of a scope today.
    pub fn used(&self, scope: &Scope) -> Used {
        let today = day_of(self.now);
        let mut used = Used::default();
        let mut time = SignedDuration::ZERO;
        for run in self.at_work.iter().filter(|run| run.is_of(scope)) {
            used.runs_at_once += 1;
            used.runs += u64::from(run.since >= today);
            time += self.now.duration_since(run.since.max(today)).max(SignedDuration::ZERO);
            let tokens = run.used.tokens.unwrap_or_default();
            used.tokens = used.tokens.saturating_add(tokens.input).saturating_add(tokens.output);
            used.cost += run.used.cost.unwrap_or(0.0);
        }
        for run in self.ended.iter().filter(|run| run.at >= today && is_of(run, scope)) {
            used.runs += u64::from(run.taken_at.is_some_and(|taken| taken >= today));
            time += SignedDuration::from_secs(i64::try_from(run.run_seconds.unwrap_or(0)).unwrap_or(0));
            used.tokens = used.tokens.saturating_add(run.tokens.0).saturating_add(run.tokens.1);
            used.cost += run.cost.unwrap_or(0.0);
        }
        used.minutes = u64::try_from(time.as_secs()).unwrap_or(0) / 60;
        used
    }
}

impl AtWork {
    fn is_of(&self, scope: &Scope) -> bool {
        match scope {
            Scope::Organization => true,
            Scope::Project(project) => self.project.as_ref() == Some(project),
            Scope::Agent(agent) => self.agent == Some(*agent),
        }
    }
}

fn is_of(run: &EndedRun, scope: &Scope) -> bool {
    match scope {
        Scope::Organization => true,
        Scope::Project(project) => run.project == *project,
        Scope::Agent(agent) => run.agent.id == *agent,
    }
}

/// What a run at work has used of its own budget beyond what it may, in a sentence.
pub fn exceeded(run: &Run, used: &UsedSoFar, now: Timestamp) -> Option<String> {
    let State::Running(working) = &run.state else { return None };
    let budget = run.budget;
    let minutes = u64::try_from(now.duration_since(working.started_at).as_secs()).unwrap_or(0) / 60;
    if let Some(limit) = budget.minutes.filter(|limit| minutes >= *limit) {
        let unit = if limit == 1 { "minute" } else { "minutes" };
        return Some(format!("It reached the limit of {limit} {unit} per run."));
    }
    let tokens = used.tokens.map(|tokens| tokens.input.saturating_add(tokens.output));
    if let Some(limit) = budget.tokens.filter(|limit| tokens.is_some_and(|used| used > *limit)) {
        return Some(format!("It exceeded the limit of {limit} tokens per run."));
    }
    let limit = budget.cost.filter(|limit| used.cost.is_some_and(|cost| cost > *limit))?;
    Some(format!("It exceeded the limit of {limit:.2} US dollars per run."))
}

#[cfg(test)]
mod tests {
    use super::{AtWork, Ledger, day_of, exceeded, limits_of, over};
    use crate::budget::{Budgets, Limits, Scope, Used};
    use crate::ids::AgentId;
    use crate::run::machine::tests::{run, running, start};
    use crate::run::numbers::EndedRun;
    use crate::run::{Run, Tokens, UsedSoFar};
    use jiff::{SignedDuration, Timestamp};
    use uuid::Uuid;

    fn hours(hours: i64) -> SignedDuration {
        SignedDuration::from_hours(hours)
    }

    /// Noon of the day on which the runs of these tests began.
    fn noon() -> Timestamp {
        day_of(start()) + hours(12)
    }

    fn one() -> Run {
        run(0, start())
    }

    fn at_work(since: Timestamp) -> AtWork {
        let tokens = Tokens { input: 20, output: 10, cache_read: 500, cache_write: 500 };
        let used = UsedSoFar { tokens: Some(tokens), cost: Some(0.25) };
        AtWork { project: Some(one().item.project), agent: Some(one().agent.id), since, used }
    }

    fn ended(taken_at: Timestamp, at: Timestamp, tokens: u64, cost: f64) -> EndedRun {
        let run = one();
        EndedRun {
            run: run.id,
            project: run.item.project,
            agent: run.agent,
            playbook: run.playbook,
            harness: run.harness,
            model: None,
            kind: run.kind,
            status: crate::run::RunStatus::Succeeded,
            at,
            taken_at: Some(taken_at),
            queue_seconds: None,
            run_seconds: Some(at.duration_since(taken_at).as_secs().unsigned_abs()),
            cost: Some(cost),
            tokens: (tokens, 1),
        }
    }

    fn ledger() -> Ledger {
        let midnight = day_of(noon());
        let works = vec![at_work(noon() - hours(1)), at_work(midnight - hours(1))];
        let over = vec![
            ended(noon() - hours(3), noon() - hours(2), 99, 1.5),
            ended(midnight - hours(1), midnight + hours(1), 9, 0.5),
            ended(midnight - hours(5), midnight - hours(4), 1_000, 100.0),
        ];
        Ledger::new(noon(), works, over)
    }

    #[test]
    fn what_is_used_today_is_added_up_from_the_records() {
        let expected = Used {
            runs_at_once: 2,
            runs: 2,
            minutes: (1 + 12 + 1 + 2) * 60,
            tokens: 110 + 2 * 30,
            cost: 2.5,
        };
        let (project, agent) = (Scope::Project(one().item.project), Scope::Agent(one().agent.id));
        for scope in [Scope::Organization, project, agent] {
            assert_eq!(ledger().used(&scope), expected, "{scope:?}");
        }
        let elsewhere =
            [Scope::Project("OTHER".parse().unwrap()), Scope::Agent(AgentId(Uuid::from_u128(99)))];
        for scope in elsewhere {
            assert_eq!(ledger().used(&scope), Used::default(), "{scope:?}");
        }
    }

    #[test]
    fn the_first_budget_that_is_used_up_keeps_a_run_from_beginning() {
        let limits = |change: fn(&mut Limits)| {
            let mut limits = Limits::default();
            change(&mut limits);
            limits
        };
        for (limits, what) in [
            (limits(|l| l.runs_at_once = Some(2)), "runs at once"),
            (limits(|l| l.runs_a_day = Some(2)), "runs a day"),
            (limits(|l| l.minutes_a_day = Some(960)), "minutes a day"),
            (limits(|l| l.tokens_a_day = Some(170)), "tokens a day"),
            (limits(|l| l.cost_a_day = Some(2.5)), "cost a day"),
        ] {
            for (scope, whose) in [
                (Scope::Organization, "organization's"),
                (Scope::Project(one().item.project), "project's"),
                (Scope::Agent(one().agent.id), "agent's"),
            ] {
                let mut budgets = Budgets::default();
                budgets.set(scope, limits);
                let over = over(&budgets, &one(), &ledger()).unwrap();
                assert_eq!(
                    (over.whose, over.what, over.until_tomorrow),
                    (whose, what, what != "runs at once")
                );
            }
        }
        let mut enough = Budgets::default();
        let left = limits(|l| (l.runs_at_once, l.runs_a_day, l.tokens_a_day) = (Some(3), Some(3), Some(171)));
        enough.set(Scope::Organization, left);
        assert_eq!(over(&enough, &one(), &ledger()), None);
    }

    #[test]
    fn the_lowest_limit_of_a_run_counts() {
        let mut budgets = Budgets::default();
        let limits = Limits { minutes_a_run: Some(30), cost_a_run: Some(2.0), ..Limits::default() };
        budgets.set(Scope::Organization, limits);
        budgets.set(Scope::Agent(one().agent.id), Limits { minutes_a_run: Some(10), ..Limits::default() });
        let run = Run { budget: limits_of(&budgets, &one()), ..running() };
        let begun = run.started_at().unwrap();
        let (nothing, after) = (UsedSoFar::default(), |minutes| begun + SignedDuration::from_mins(minutes));
        assert_eq!(exceeded(&run, &nothing, after(9)), None);
        assert!(exceeded(&run, &nothing, after(10)).unwrap().contains("10 minutes"));
        let costs = |cost| UsedSoFar { cost: Some(cost), ..nothing };
        assert_eq!(exceeded(&run, &costs(2.0), begun), None);
        assert!(exceeded(&run, &costs(2.01), begun).unwrap().contains("2.00 US dollars"));
        let tokens = Tokens { input: u64::MAX, output: 1, ..Tokens::default() };
        let many = UsedSoFar { tokens: Some(tokens), ..nothing };
        assert_eq!(exceeded(&run, &many, begun), None, "no limit");
        budgets.set(Scope::Agent(one().agent.id), Limits::default());
        assert!(budgets.agents.is_empty());
    }

    #[test]
    fn limits_are_checked() {
        let bad = Limits {
            runs_at_once: Some(u64::MAX),
            minutes_a_run: Some(0),
            cost_a_day: Some(-1.0),
            cost_a_run: Some(f64::NAN),
            ..Limits::default()
        };
        let errors = bad.check().unwrap_err();
        let fields: Vec<&str> = errors.0.keys().map(String::as_str).collect();
        assert_eq!(fields, ["costADay", "costARun", "minutesARun", "runsAtOnce"]);
        Limits { runs_at_once: Some(0), cost_a_day: Some(0.0), ..Limits::default() }.check().unwrap();
    }
}
