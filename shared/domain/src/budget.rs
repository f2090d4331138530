//! Budgets of the factory: limits on what agents may use, for the organization, a project, or an agent; what of them is
//! used; and what that means for a run.
//!
//! | limit            | counts                                                        | where it is used up          |
//! |------------------|---------------------------------------------------------------|------------------------------|
//! | runs at once     | runs that a runner holds                                      | the next run waits           |
//! | runs a day       | runs that a runner took today and did not give back           | the next run waits           |
//! | minutes, tokens, | of runs that ended today; minutes also of those at work       | the next run waits           |
//! | cost a day       |                                                               |                              |
//! | minutes, tokens, | of the run itself, since its harness started                  | it fails: `budget-exceeded`  |
//! | cost a run       |                                                               |                              |
//!
//! A day begins at midnight UTC. What is used is added up from the records of live and ended runs, which the commits
//! that begin and end them write; so a budget that is set late knows what was used before, and nothing drifts. A run
//! that is at work when a daily budget is used up goes on.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::ids::{AgentId, ProjectKey};
use crate::refusal::FieldErrors;

/// The highest limit on anything.
const HIGHEST: u64 = 1_000_000_000_000;

/// The budgets of an organization. Their version is the row's, 0 while nothing was ever set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Budgets {
    /// Of all its runs.
    pub organization: Limits,
    /// Of the runs in a project.
    pub projects: BTreeMap<ProjectKey, Limits>,
    /// Of the runs of an agent.
    pub agents: BTreeMap<AgentId, Limits>,
}

/// What a budget is for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// All runs of the organization.
    Organization,
    /// Those in a project.
    Project(ProjectKey),
    /// Those of an agent.
    Agent(AgentId),
}

/// Limits; absent fields are not limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Limits {
    /// Runs that runners hold at the same time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs_at_once: Option<u64>,
    /// Runs that begin per day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs_a_day: Option<u64>,
    /// Minutes of harnesses on a day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minutes_a_day: Option<u64>,
    /// Tokens to and from models per day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_a_day: Option<u64>,
    /// US dollars per day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_a_day: Option<f64>,
    /// Minutes of one run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minutes_a_run: Option<u64>,
    /// Tokens per run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_a_run: Option<u64>,
    /// US dollars per run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_a_run: Option<f64>,
}

impl std::fmt::Display for Limits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let whole = |limit: Option<u64>| limit.map(|limit| limit.to_string());
        let dollars = |limit: Option<f64>| limit.map(|limit| format!("${limit}"));
        let limits = [
            (whole(self.runs_at_once), "runs at once"),
            (whole(self.runs_a_day), "runs a day"),
            (whole(self.minutes_a_day), "minutes a day"),
            (whole(self.tokens_a_day), "tokens a day"),
            (dollars(self.cost_a_day), "a day"),
            (whole(self.minutes_a_run), "minutes a run"),
            (whole(self.tokens_a_run), "tokens a run"),
            (dollars(self.cost_a_run), "a run"),
        ];
        let said = limits.into_iter().filter_map(|(limit, of)| Some(format!("{} {of}", limit?)));
        let said = said.collect::<Vec<_>>().join(", ");
        f.write_str(if said.is_empty() { "no limit" } else { &said })
    }
}

/// The limits of one run, captured when a runner takes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RunBudget {
    /// Minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minutes: Option<u64>,
    /// Tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// What is used of a budget today.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Used {
    /// Runs that runners hold.
    pub runs_at_once: u64,
    /// Runs that began.
    pub runs: u64,
    /// Minutes, the last one begun.
    pub minutes: u64,
    /// Tokens.
    pub tokens: u64,
    /// US dollars.
    pub cost: f64,
}

/// A budget that is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Over {
    /// Whose.
    pub whose: &'static str,
    /// What of.
    pub what: &'static str,
    /// Whether the next day helps, or only the end of another run.
    pub until_tomorrow: bool,
}

impl Limits {
    /// Whether it limits nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether they are acceptable.
    ///
    /// # Errors
    /// Every field that is not.
    pub fn check(&self) -> Result<(), FieldErrors> {
        let mut errors = FieldErrors::default();
        for (field, limit, least) in [
            ("runsAtOnce", self.runs_at_once, 0),
            ("runsADay", self.runs_a_day, 0),
            ("minutesADay", self.minutes_a_day, 0),
            ("tokensADay", self.tokens_a_day, 0),
            ("minutesARun", self.minutes_a_run, 1),
            ("tokensARun", self.tokens_a_run, 1),
        ] {
            if limit.is_some_and(|limit| !(least..=HIGHEST).contains(&limit)) {
                errors.add(field, format!("Give {least} to {HIGHEST}, or null for no limit."));
            }
        }
        for (field, limit) in [("costADay", self.cost_a_day), ("costARun", self.cost_a_run)] {
            if limit.is_some_and(|limit| !limit.is_finite() || !(0.0..=1e9).contains(&limit)) {
                errors.add(field, "Give US dollars from 0 to 1000000000, or null for no limit.");
            }
        }
        errors.into_result()
    }

    /// What of them is used up, and whether the next day helps.
    pub(crate) fn over(&self, used: &Used) -> Option<(&'static str, bool)> {
        let reached = |limit: Option<u64>, used: u64| limit.is_some_and(|limit| used >= limit);
        let spent = self.cost_a_day.is_some_and(|limit| used.cost >= limit);
        [
            (reached(self.runs_at_once, used.runs_at_once), "runs at once", false),
            (reached(self.runs_a_day, used.runs), "runs a day", true),
            (reached(self.minutes_a_day, used.minutes), "minutes a day", true),
            (reached(self.tokens_a_day, used.tokens), "tokens a day", true),
            (spent, "cost a day", true),
        ]
        .into_iter()
        .find_map(|(over, what, until_tomorrow)| over.then_some((what, until_tomorrow)))
    }
}

/// Of which percent on a daily budget is nearly used.
const NEARLY: u64 = 80;

impl Limits {
    /// What of a day is nearly used or more, with how many percent of it are.
    pub fn nearly(&self, used: &Used) -> Vec<(&'static str, u64)> {
        let percent = |limit: Option<u64>, used: u64| {
            let limit = limit.filter(|limit| *limit > 0)?;
            Some(used.saturating_mul(100) / limit)
        };
        // Cents are exact enough, and never negative.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "limits are at most 1e9")]
        let cents = |dollars: f64| (dollars * 100.0) as u64;
        [
            (percent(self.runs_a_day, used.runs), "runs a day"),
            (percent(self.minutes_a_day, used.minutes), "minutes a day"),
            (percent(self.tokens_a_day, used.tokens), "tokens a day"),
            (percent(self.cost_a_day.map(cents), cents(used.cost)), "cost a day"),
        ]
        .into_iter()
        .filter_map(|(percent, what)| Some((what, percent?)))
        .filter(|(_, percent)| *percent >= NEARLY)
        .collect()
    }
}

impl Budgets {
    /// The limits of a scope.
    pub fn limits(&self, scope: &Scope) -> Limits {
        match scope {
            Scope::Organization => self.organization,
            Scope::Project(project) => self.projects.get(project).copied().unwrap_or_default(),
            Scope::Agent(agent) => self.agents.get(agent).copied().unwrap_or_default(),
        }
    }

    /// Sets the limits of a scope.
    pub fn set(&mut self, scope: Scope, limits: Limits) {
        match scope {
            Scope::Organization => self.organization = limits,
            Scope::Project(project) if limits.is_empty() => drop(self.projects.remove(&project)),
            Scope::Project(project) => drop(self.projects.insert(project, limits)),
            Scope::Agent(agent) if limits.is_empty() => drop(self.agents.remove(&agent)),
            Scope::Agent(agent) => drop(self.agents.insert(agent, limits)),
        }
    }

    /// Every scope that has limits; the organization always.
    pub fn scopes(&self) -> Vec<Scope> {
        let projects = self.projects.keys().cloned().map(Scope::Project);
        let agents = self.agents.keys().copied().map(Scope::Agent);
        std::iter::once(Scope::Organization).chain(projects).chain(agents).collect()
    }

    /// Whether nothing is limited.
    pub fn is_empty(&self) -> bool {
        self.organization.is_empty() && self.projects.is_empty() && self.agents.is_empty()
    }
}
