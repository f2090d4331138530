//! `svc project stats`.

use svc_api::tracker::{DurationStats, ProjectStats, ProjectStatsQuery};

use crate::commands::in_project::ThisProject;
use crate::failure::Failure;
use crate::output::{Column, Pairs, Table, when};
use crate::session::Session;

/// Show a project's throughput: items created and resolved each week, how long they took, and the velocity of its
/// last sprints.
///
/// The lead time runs from the creation of an item to its resolution, the cycle time from leaving the backlog.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc project stats PRJ
  svc project stats -p PRJ --weeks 26 --json")]
pub(crate) struct Args {
    #[command(flatten)]
    project: ThisProject,
    /// Number of weeks, including this one
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=52))]
    weeks: u32,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let query = ProjectStatsQuery { weeks: Some(args.weeks), ..ProjectStatsQuery::default() };
    let stats = session.org(&org).project_stats(project.as_str(), &query).await?;
    let output = session.output;
    if output.json {
        return output.json(&stats);
    }
    output.pairs(&pairs(&stats))?;
    output.text("")?;
    output.table(&weeks(&stats))?;
    if stats.velocity.is_empty() {
        return Ok(());
    }
    output.text("")?;
    output.table(&velocity(&stats))
}

fn pairs(stats: &ProjectStats) -> Pairs {
    let mut pairs = Pairs::default();
    pairs.add("from", stats.from.to_string());
    pairs.add("until", stats.until.to_string());
    pairs.maybe("lead time", stats.lead_time.as_ref().map(took));
    pairs.maybe("cycle time", stats.cycle_time.as_ref().map(took));
    pairs
}

fn took(all: &DurationStats) -> String {
    let DurationStats { items, median_hours, p85_hours, p95_hours } = all;
    format!("median {median_hours} h, 85 % {p85_hours} h, 95 % {p95_hours} h, of {items} items")
}

fn weeks(stats: &ProjectStats) -> Table {
    let mut table =
        Table::new([Column::fixed("WEEK OF"), Column::fixed("CREATED"), Column::fixed("RESOLVED")]);
    for week in &stats.weeks {
        table.row(
            [week.begins.to_string(), week.created.to_string(), week.resolved.to_string()].map(Into::into),
        );
    }
    table
}

fn velocity(stats: &ProjectStats) -> Table {
    let mut table = Table::new([
        Column::fixed("COMPLETED"),
        Column::fixed("TEAM"),
        Column::fixed("FINISHED"),
        Column::fixed("DONE"),
        Column::fixed("ESTIMATE"),
        Column::flexible("SPRINT"),
    ]);
    for sprint in &stats.velocity {
        table.row([
            when(sprint.completed_at).into(),
            sprint.team.as_str().into(),
            format!("{}/{}", sprint.finished, sprint.items).into(),
            sprint.done.to_string().into(),
            sprint.estimate.to_string().into(),
            sprint.name.as_str().into(),
        ]);
    }
    table
}
