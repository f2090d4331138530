//! `svc factory budget`: shows the budgets of the organization and what is used of them, or changes one.

use svc_api::Patch;
use svc_api::factory::{Budget, Budgets, UpdateBudget};

use crate::failure::Failure;
use crate::output::{Column, Table};
use crate::session::Session;
use crate::values::OrNone;

/// Show the budgets and today's usage, or change a budget.
///
/// Without options, it shows all budgets. A limit applies to the organization, or to the project or agent that you
/// name. A run over a budget waits in the queue; a run that exceeds a limit per run fails with budget-exceeded. A day
/// begins at midnight UTC. Only Owners and Admins can change budgets.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc factory budget
  svc factory budget --runs-at-once 4 --cost-a-day 200
  svc factory budget -p PRJ --minutes-a-run 30
  svc factory budget --agent Robin --runs-a-day none")]
pub(crate) struct Args {
    /// Key of the project that the limits are for
    #[arg(short, long, value_name = "PROJECT_KEY", conflicts_with = "agent")]
    project: Option<String>,
    /// Display name or id of the agent that the limits are for
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
    #[command(flatten)]
    change: Change,
}

#[derive(clap::Args)]
struct Change {
    /// Runs at the same time, or none
    #[arg(long, value_name = "NUMBER")]
    runs_at_once: Option<OrNone<u64>>,
    /// Runs per day, or none
    #[arg(long, value_name = "NUMBER")]
    runs_a_day: Option<OrNone<u64>>,
    /// Minutes of runs per day, or none
    #[arg(long, value_name = "NUMBER")]
    minutes_a_day: Option<OrNone<u64>>,
    /// Tokens per day, or none
    #[arg(long, value_name = "NUMBER")]
    tokens_a_day: Option<OrNone<u64>>,
    /// US dollars per day, or none
    #[arg(long, value_name = "USD")]
    cost_a_day: Option<OrNone<f64>>,
    /// Minutes per run, or none
    #[arg(long, value_name = "NUMBER")]
    minutes_a_run: Option<OrNone<u64>>,
    /// Tokens per run, or none
    #[arg(long, value_name = "NUMBER")]
    tokens_a_run: Option<OrNone<u64>>,
    /// US dollars per run, or none
    #[arg(long, value_name = "USD")]
    cost_a_run: Option<OrNone<f64>>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let mut budgets = session.org(&org).budgets().await?;
    if args.change.is_some() {
        let change = args.change.into_update(budgets.version, args.project, args.agent);
        budgets = session.org(&org).update_budget(&change).await?;
    } else if args.project.is_some() || args.agent.is_some() {
        return Err(Failure::rejected("name the limits to set")
            .hint("for example `--runs-at-once 2`; without options, it shows all budgets"));
    }
    if session.output.json {
        return session.output.json(&budgets);
    }
    session.output.table(&table(&budgets))
}

impl Change {
    const fn is_some(&self) -> bool {
        self.runs_at_once.is_some()
            || self.runs_a_day.is_some()
            || self.minutes_a_day.is_some()
            || self.tokens_a_day.is_some()
            || self.cost_a_day.is_some()
            || self.minutes_a_run.is_some()
            || self.tokens_a_run.is_some()
            || self.cost_a_run.is_some()
    }

    fn into_update(self, version: u64, project: Option<String>, agent: Option<String>) -> UpdateBudget {
        fn patch<T>(limit: Option<OrNone<T>>) -> Patch<T> {
            limit.map_or(Patch::Keep, Patch::from)
        }
        UpdateBudget {
            version,
            project,
            agent,
            runs_at_once: patch(self.runs_at_once),
            runs_a_day: patch(self.runs_a_day),
            minutes_a_day: patch(self.minutes_a_day),
            tokens_a_day: patch(self.tokens_a_day),
            cost_a_day: patch(self.cost_a_day),
            minutes_a_run: patch(self.minutes_a_run),
            tokens_a_run: patch(self.tokens_a_run),
            cost_a_run: patch(self.cost_a_run),
        }
    }
}

/// A line for each budget: what is used of what, and what one run may use.
fn table(budgets: &Budgets) -> Table {
    let mut table = Table::new([
        Column::fixed("RUNS AT ONCE"),
        Column::fixed("TODAY"),
        Column::fixed("MINUTES"),
        Column::fixed("TOKENS"),
        Column::fixed("COST"),
        Column::fixed("ONE RUN"),
        Column::flexible("BUDGET OF"),
    ]);
    for Budget { project, agent, limits, used, .. } in &budgets.budgets {
        let of = |used: u64, limit: Option<u64>| match limit {
            Some(limit) => format!("{used} of {limit}"),
            None => used.to_string(),
        };
        let cost = match limits.cost_a_day {
            Some(limit) => format!("${:.2} of ${limit:.2}", used.cost_a_day),
            None => format!("${:.2}", used.cost_a_day),
        };
        let one_run = [
            limits.minutes_a_run.map(|limit| format!("{limit} min")),
            limits.tokens_a_run.map(|limit| format!("{limit} tokens")),
            limits.cost_a_run.map(|limit| format!("${limit:.2}")),
        ];
        let one_run: Vec<String> = one_run.into_iter().flatten().collect();
        let whose = match (project, agent) {
            (Some(project), _) => format!("project {project}"),
            (None, Some(agent)) => format!("agent {}", agent.name),
            (None, None) => "organization".to_owned(),
        };
        table.row([
            of(used.runs_at_once, limits.runs_at_once).into(),
            of(used.runs_a_day, limits.runs_a_day).into(),
            of(used.minutes_a_day, limits.minutes_a_day).into(),
            of(used.tokens_a_day, limits.tokens_a_day).into(),
            cost.into(),
            one_run.join(", ").into(),
            whose.into(),
        ]);
    }
    table
}
