//! `svc factory stats`.

use jiff::{SignedDuration, Timestamp};
use svc_api::factory::{FactoryStats, RunNumbers, StatsQuery};
use svc_domain::ids::ProjectKey;

use crate::failure::Failure;
use crate::keys::project_key;
use crate::output::{Column, Table};
use crate::session::Session;
use crate::values::moment;

/// Show how runs ended, how long they waited and worked, and what they cost.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc factory stats
  svc factory stats -p PRJ --by agent
  svc factory stats --since 2026-03-01T00:00:00Z --by playbook")]
pub(crate) struct Args {
    /// Only runs of this project
    #[arg(short, long, value_name = "PROJECT_KEY", value_parser = project_key)]
    project: Option<ProjectKey>,
    /// What to group by
    #[arg(long, default_value = "day", value_parser = ["day", "project", "agent", "playbook", "harness", "model"])]
    by: String,
    /// Runs that ended since this day or time, such as 2026-01-31 [default: 30 days ago]
    #[arg(long, value_name = "WHEN", value_parser = moment)]
    since: Option<Timestamp>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let query = StatsQuery {
        from: args.since.map(|at| at.to_string()),
        project: args.project.map(|key| key.to_string()),
        by: Some(args.by),
        until: None,
        weekly: None,
    };
    let stats = session.org(&org).factory_stats(&query).await?;
    if session.output.json {
        return session.output.json(&stats);
    }
    if stats.total.runs == 0 {
        session.output.say("No runs ended in this period.");
        return Ok(());
    }
    session.output.table(&table(&stats))
}

fn table(stats: &FactoryStats) -> Table {
    let mut table = Table::new([
        Column::flexible("GROUP"),
        Column::fixed("RUNS"),
        Column::fixed("SUCCESS"),
        Column::fixed("FAILED"),
        Column::fixed("TIMED OUT"),
        Column::fixed("CANCELLED"),
        Column::fixed("QUEUED (P95)"),
        Column::fixed("WORKED (P95)"),
        Column::fixed("TOKENS").minor(),
        Column::fixed("COST"),
    ]);
    for group in &stats.groups {
        row(&mut table, &group.name, &group.numbers);
    }
    row(&mut table, "all", &stats.total);
    table
}

fn row(table: &mut Table, name: &str, numbers: &RunNumbers) {
    table.row([
        name.into(),
        numbers.runs.to_string().into(),
        numbers.success_percent.map(|percent| format!("{percent:.0} %")).unwrap_or_default().into(),
        numbers.failed.to_string().into(),
        numbers.timed_out.to_string().into(),
        numbers.cancelled.to_string().into(),
        spread(numbers.queue_median_seconds, numbers.queue_p95_seconds).into(),
        spread(numbers.run_median_seconds, numbers.run_p95_seconds).into(),
        (numbers.input_tokens + numbers.output_tokens).to_string().into(),
        format!("${:.2}", numbers.cost).into(),
    ]);
}

fn spread(median: Option<u64>, p95: Option<u64>) -> String {
    match (median, p95) {
        (Some(median), Some(p95)) => format!("{} ({})", time(median), time(p95)),
        _ => String::new(),
    }
}

fn time(seconds: u64) -> String {
    let seconds = SignedDuration::from_secs(i64::try_from(seconds).unwrap_or(i64::MAX));
    format!("{seconds:#}")
}
