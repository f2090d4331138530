//! Budgets: reads and sets them, and decides whether they let a queued run begin.
//!
//! Protocol.
//! 1. What is used is added up from the records of live runs and of those that ended today. The commits that begin, give
//!    back and end a run write these records, so that no counter can drift from the runs.
//! 2. Where anything is limited for a run, the commit that begins it also rewrites one row of the organization, in the
//!    version that was read before the records. Of two runs that would exceed a budget together, one decides again.
//! 3. A run captures its own limits when a runner takes it. Each sign of life says what it has used; one that exceeds
//!    its limits has failed, and its runner is told to stop.
//! 4. What a live run has used counts today, and stays known when it is lost.
//!
//! Organizations without budgets pay one extra read when their queue is not empty.

use std::collections::{BTreeMap, BTreeSet};

use svc_domain::access::Capability;
use svc_domain::agent::Agent;
use svc_domain::budget::{Budgets, Limits, Over, RunBudget, Scope, Used};
use svc_domain::event::FactoryEvent;
use svc_domain::ids::{AgentId, OrgId, RunId};
use svc_domain::refusal::Refusal;
use svc_domain::run::numbers::EndedRun;
use svc_domain::run::spending::{self, AtWork, Ledger, day_of};
use svc_domain::run::{Named, Run};
use svc_storage::{Condition, Op, Query, Range, Row, RowOf, keys};

use super::live::LiveEntry;
use super::{agents, naming};
use crate::App;
use crate::entry::{Caller, Entry, enter_org_with};
use crate::error::Result;
use crate::transaction::Transaction;
use crate::visible_projects::visible_projects;
use crate::wanted;

/// The budgets of an organization as people see them.
#[derive(Clone, Debug)]
pub struct BudgetsView {
    /// Version; 0 while nothing was ever set.
    pub version: u64,
    /// The organization's, then those of projects and of agents.
    pub budgets: Vec<BudgetView>,
}

/// A budget, and what is used of it today.
#[derive(Clone, Debug)]
pub struct BudgetView {
    /// What it is for.
    pub scope: Scope,
    /// The agent, where it is for one.
    pub agent: Option<Named<AgentId>>,
    /// Its limits.
    pub limits: Limits,
    /// What is used.
    pub used: Used,
}

/// A wanted change of a limit: `None` leaves it, `Some(None)` clears it.
pub type Change<T> = Option<Option<T>>;

/// A wanted change of one budget.
#[derive(Clone, Debug, Default)]
pub struct BudgetEdit {
    /// The version last read.
    pub version: u64,
    /// Key of the project that it is for; neither this nor an agent for the organization.
    pub project: Option<String>,
    /// Id or name of the agent that it is for.
    pub agent: Option<String>,
    /// Runs at once.
    pub runs_at_once: Change<u64>,
    /// Runs a day.
    pub runs_a_day: Change<u64>,
    /// Minutes a day.
    pub minutes_a_day: Change<u64>,
    /// Tokens a day.
    pub tokens_a_day: Change<u64>,
    /// US dollars a day.
    pub cost_a_day: Change<f64>,
    /// Minutes a run.
    pub minutes_a_run: Change<u64>,
    /// Tokens a run.
    pub tokens_a_run: Change<u64>,
    /// US dollars a run.
    pub cost_a_run: Change<f64>,
}

/// The budgets of the organization, its agents and the projects whose factory the caller may see, and what is used of
/// them.
///
/// # Errors
/// What [`Capability::SeeFactory`] refuses.
pub async fn view(app: &App, caller: Caller<'_>) -> Result<BudgetsView> {
    let (entry, row) = enter_org_with(app, caller, Capability::SeeFactory, keys::budgets).await?;
    let (mut budgets, version) = of_row(row.as_ref())?;
    let projects = budgets.projects.keys().cloned().collect();
    let visible = visible_projects(app, &entry.access, projects).await?;
    budgets.projects.retain(|project, _| visible.get(project) == Some(&true));
    seen(app, entry.org_id(), &budgets, version).await
}

/// Changes one budget.
///
/// # Errors
/// [`Refusal::StaleVersion`]; [`Refusal::Invalid`] for limits that are none, and a project or an agent that there is
/// not, unless limits of a deleted agent are cleared; what [`Capability::AdministerOrg`] refuses.
pub async fn update(app: &App, caller: Caller<'_>, edit: &BudgetEdit) -> Result<BudgetsView> {
    app.decide(|| async {
        let (entry, row) = enter_org_with(app, caller, Capability::AdministerOrg, keys::budgets).await?;
        let (mut budgets, version) = of_row(row.as_ref())?;
        if version != edit.version {
            return Err(Refusal::StaleVersion { current: version }.into());
        }
        let scope = scope(app, &entry, edit, &budgets).await?;
        let before = budgets.limits(&scope);
        let limits = edit.applied(before);
        limits.check().map_err(Refusal::from)?;
        let changed =
            FactoryEvent::BudgetChanged { of: scope.clone(), from: Box::new(before), to: Box::new(limits) };
        budgets.set(scope, limits);
        let key = keys::budgets(entry.org_id());
        let op = match version {
            0 => Op::create(key, &budgets),
            version => Op::replace(key, version, &budgets),
        };
        app.commit(Transaction::of(app, &entry).with([op]).telling(changed)).await?;
        seen(app, entry.org_id(), &budgets, version + 1).await
    })
    .await
}

async fn scope(app: &App, entry: &Entry, edit: &BudgetEdit, budgets: &Budgets) -> Result<Scope> {
    let org = entry.org_id();
    match (&edit.project, &edit.agent) {
        (None, None) => Ok(Scope::Organization),
        (Some(_), Some(_)) => Err(Refusal::invalid(
            "agent",
            "A budget is for a project or for an agent. Give only one of them.",
        )
        .into()),
        (Some(key), None) => {
            let unknown = || Refusal::invalid("project", format!("There is no project {key:?}."));
            let key = key.to_ascii_uppercase().parse().map_err(|_| unknown())?;
            app.table.find(&keys::project(org, &key)).await?.ok_or_else(unknown)?;
            Ok(Scope::Project(key))
        }
        (None, Some(word)) => {
            let all = agents::all(app, org).await?;
            let there = naming::agent(word, &all, app.now()).map(|(agent, _)| agent.id);
            let deleted = || deleted_agent(word, &all, budgets).filter(|_| edit.only_clears());
            Ok(Scope::Agent(there.or_else(|refusal| deleted().ok_or(refusal))?))
        }
    }
}

/// The deleted agent that has this id or name, and a budget which can only be taken away.
fn deleted_agent(word: &str, all: &[agents::Versioned], budgets: &Budgets) -> Option<AgentId> {
    let left = all.iter().map(|(agent, _)| agent);
    let left = left.filter(|agent| !agent.is_there() && budgets.agents.contains_key(&agent.id));
    let left: Vec<&Agent> = left.collect();
    let found = naming::resolve("agent", word, &left, |agent| agent.id.to_string(), |agent| &agent.name);
    found.ok().map(|agent| agent.id)
}

impl BudgetEdit {
    /// Whether it sets no limit.
    fn only_clears(&self) -> bool {
        self.applied(Limits::default()).is_empty()
    }

    fn applied(&self, limits: Limits) -> Limits {
        Limits {
            runs_at_once: self.runs_at_once.unwrap_or(limits.runs_at_once),
            runs_a_day: self.runs_a_day.unwrap_or(limits.runs_a_day),
            minutes_a_day: self.minutes_a_day.unwrap_or(limits.minutes_a_day),
            tokens_a_day: self.tokens_a_day.unwrap_or(limits.tokens_a_day),
            cost_a_day: self.cost_a_day.unwrap_or(limits.cost_a_day),
            minutes_a_run: self.minutes_a_run.unwrap_or(limits.minutes_a_run),
            tokens_a_run: self.tokens_a_run.unwrap_or(limits.tokens_a_run),
            cost_a_run: self.cost_a_run.unwrap_or(limits.cost_a_run),
        }
    }
}

async fn seen(app: &App, org: OrgId, budgets: &Budgets, version: u64) -> Result<BudgetsView> {
    let ledger = ledger(app, org).await?;
    let named: BTreeMap<AgentId, Agent> = match budgets.agents.is_empty() {
        true => BTreeMap::new(),
        false => agents::all(app, org).await?.into_iter().map(|(agent, _)| (agent.id, agent)).collect(),
    };
    let seen = |scope: Scope| {
        let agent = match &scope {
            Scope::Agent(id) => named.get(id).map(|agent| Named { id: *id, name: agent.name.clone() }),
            Scope::Organization | Scope::Project(_) => None,
        };
        BudgetView { limits: budgets.limits(&scope), used: ledger.used(&scope), agent, scope }
    };
    Ok(BudgetsView { version, budgets: budgets.scopes().into_iter().map(seen).collect() })
}

fn of_row(row: Option<&RowOf<Budgets>>) -> Result<(Budgets, u64)> {
    Ok((RowOf::or_default(row)?, row.map_or(0, |row| row.version)))
}

/// The records of today's runs.
async fn ledger(app: &App, org: OrgId) -> Result<Ledger> {
    let now = app.now();
    let live = Query::new(keys::live_pk(org), Range::All, 1_000);
    let today = Range::Between(keys::sortable(day_of(now).as_millisecond()), "~".to_owned());
    let ended = Query::new(keys::ended_runs_pk(org), today, 1_000);
    // A run that ends in between is found among those that ended, and perhaps also among those at work: never in
    // neither.
    let live = app.table.query_all(live).await?;
    let ended = app.table.query_all(ended).await?;
    let live = live.iter().map(Row::read).collect::<Result<Vec<LiveEntry>, _>>()?;
    let ended = ended.iter().map(Row::read).collect::<Result<Vec<EndedRun>, _>>()?;
    let over: BTreeSet<RunId> = ended.iter().map(|ended| ended.run).collect();
    let at_work = live.into_iter().filter(|live| !over.contains(&live.run));
    let at_work = at_work
        .map(|live| AtWork {
            project: live.project,
            agent: live.agent,
            since: live.since.unwrap_or(live.heartbeat_at),
            used: live.used,
        })
        .collect();
    Ok(Ledger::new(now, at_work, ended))
}

/// A day's limit of which most is used.
pub(super) struct NearlyUsed {
    pub(super) scope: Scope,
    /// What people call whose budget it is.
    pub(super) whose: String,
    pub(super) what: &'static str,
    pub(super) percent: u64,
}

/// The daily limits of an organization of which most is used.
pub(super) async fn nearly_used(app: &App, org: OrgId, row: &RowOf<Budgets>) -> Result<Vec<NearlyUsed>> {
    let (budgets, _) = of_row(Some(row))?;
    let daily = |limits: &Limits| {
        let Limits { runs_a_day, minutes_a_day, tokens_a_day, cost_a_day, .. } = limits;
        runs_a_day.is_some() || minutes_a_day.is_some() || tokens_a_day.is_some() || cost_a_day.is_some()
    };
    if !budgets.scopes().iter().any(|scope| daily(&budgets.limits(scope))) {
        return Ok(Vec::new());
    }
    let view = seen(app, org, &budgets, row.version).await?;
    let nearly = view.budgets.into_iter().flat_map(|BudgetView { scope, agent, limits, used }| {
        let whose = match &scope {
            Scope::Organization => "Budget of the organization".to_owned(),
            Scope::Project(project) => format!("Budget of the project {project}"),
            Scope::Agent(_) => {
                format!(
                    "Budget of the agent {}",
                    agent.map_or_else(|| "that was deleted".to_owned(), |it| it.name)
                )
            }
        };
        let nearly =
            move |(what, percent)| NearlyUsed { scope: scope.clone(), whose: whose.clone(), what, percent };
        limits.nearly(&used).into_iter().map(nearly)
    });
    Ok(nearly.collect())
}

/// The budgets of an organization that has some, and what is used of them.
#[derive(Debug)]
pub(super) struct Spending {
    budgets: Budgets,
    ledger: Ledger,
    gate: Op,
}

impl Spending {
    /// Of the organization; `None` where nothing is limited.
    pub(super) async fn of(app: &App, org: OrgId) -> Result<Option<Self>> {
        let (budgets, starts) = wanted::load(app, (keys::budgets(org), keys::starts(org))).await?;
        let (budgets, _) = of_row(budgets.as_ref())?;
        if budgets.is_empty() {
            return Ok(None);
        }
        let condition = starts.map_or(Condition::Absent, |row| Condition::Version(row.version));
        let gate = Op::put(keys::starts(org), condition, &app.now());
        Ok(Some(Self { budgets, ledger: ledger(app, org).await?, gate }))
    }

    /// The budget that keeps a run from beginning.
    pub(super) fn over(&self, run: &Run) -> Option<Over> {
        spending::over(&self.budgets, run, &self.ledger)
    }

    /// What the run may use itself.
    pub(super) fn of_run(&self, run: &Run) -> RunBudget {
        spending::limits_of(&self.budgets, run)
    }

    /// What the commit that begins a run writes.
    pub(super) fn gate(&self) -> Op {
        self.gate.clone()
    }
}
