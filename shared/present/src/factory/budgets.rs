//! Budgets, domain → wire and back.

use svc_api::factory as wire;
use svc_app::factory::budgets::{BudgetEdit, BudgetView, BudgetsView};
use svc_domain::budget::{Limits, Scope, Used};

/// The budgets of an organization.
pub fn view(view: BudgetsView) -> wire::Budgets {
    wire::Budgets { version: view.version, budgets: view.budgets.into_iter().map(budget).collect() }
}

fn budget(view: BudgetView) -> wire::Budget {
    let BudgetView { scope, agent, limits, used } = view;
    let project = match &scope {
        Scope::Project(project) => Some(project.to_string()),
        Scope::Organization | Scope::Agent(_) => None,
    };
    let agent = match scope {
        Scope::Agent(id) => {
            let name = agent.map(|agent| agent.name).unwrap_or_default();
            Some(wire::Ref { id: id.to_string(), name })
        }
        Scope::Organization | Scope::Project(_) => None,
    };
    wire::Budget {
        project,
        agent,
        limits: self::limits(&limits),
        used: self::used(&used),
        left: left(&limits, &used),
    }
}

fn limits(limits: &Limits) -> wire::BudgetLimits {
    wire::BudgetLimits {
        runs_at_once: limits.runs_at_once,
        runs_a_day: limits.runs_a_day,
        minutes_a_day: limits.minutes_a_day,
        tokens_a_day: limits.tokens_a_day,
        cost_a_day: limits.cost_a_day,
        minutes_a_run: limits.minutes_a_run,
        tokens_a_run: limits.tokens_a_run,
        cost_a_run: limits.cost_a_run,
    }
}

fn used(used: &Used) -> wire::BudgetUse {
    wire::BudgetUse {
        runs_at_once: used.runs_at_once,
        runs_a_day: used.runs,
        minutes_a_day: used.minutes,
        tokens_a_day: used.tokens,
        cost_a_day: used.cost,
    }
}

fn left(limits: &Limits, used: &Used) -> wire::BudgetLeft {
    let left = |limit: Option<u64>, used: u64| limit.map(|limit| limit.saturating_sub(used));
    wire::BudgetLeft {
        runs_at_once: left(limits.runs_at_once, used.runs_at_once),
        runs_a_day: left(limits.runs_a_day, used.runs),
        minutes_a_day: left(limits.minutes_a_day, used.minutes),
        tokens_a_day: left(limits.tokens_a_day, used.tokens),
        cost_a_day: limits.cost_a_day.map(|limit| (limit - used.cost).max(0.0)),
    }
}

/// A change of a budget.
pub fn edit(change: wire::UpdateBudget) -> BudgetEdit {
    BudgetEdit {
        version: change.version,
        project: change.project,
        agent: change.agent,
        runs_at_once: change.runs_at_once.into_option(),
        runs_a_day: change.runs_a_day.into_option(),
        minutes_a_day: change.minutes_a_day.into_option(),
        tokens_a_day: change.tokens_a_day.into_option(),
        cost_a_day: change.cost_a_day.into_option(),
        minutes_a_run: change.minutes_a_run.into_option(),
        tokens_a_run: change.tokens_a_run.into_option(),
        cost_a_run: change.cost_a_run.into_option(),
    }
}
