//! `svc sprint list`.

use svc_api::tracker::{Sprint, SprintQuery, SprintState};

use super::shared::left;
use crate::commands::in_project::InProject;
use crate::commands::paging::collect;
use crate::failure::Failure;
use crate::output::{Column, Table, name, option, wire};
use crate::session::Session;
use crate::values::sprint_state;

/// List sprints: active ones, then planned ones in their order, then completed ones.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc sprint list -p PRJ -t web --state active")]
pub(crate) struct Args {
    /// Only sprints of the team with this key or id
    #[arg(short, long, value_name = "TEAM")]
    team: Option<String>,
    #[command(flatten)]
    project: InProject,
    /// Only sprints in this state
    #[arg(long, value_parser = sprint_state(), ignore_case = true)]
    state: Option<SprintState>,
    /// Print at most this many
    #[arg(short = 'L', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let query =
        SprintQuery { team: args.team, state: args.state.as_ref().map(wire), ..SprintQuery::default() };
    let sprints = collect(args.limit.map(|limit| limit as usize), async |page, size| {
        let query = SprintQuery { page: Some(page), page_size: Some(size), ..query.clone() };
        session.org(&org).sprints(project.as_str(), &query).await
    })
    .await?;
    if session.output.json {
        return session.output.json(&sprints);
    }
    if sprints.is_empty() {
        session.output.say("No sprints match.");
        return Ok(());
    }
    session.output.table(&table(&sprints))
}

fn table(sprints: &[Sprint]) -> Table {
    let mut table = Table::new([
        Column::id("ID"),
        Column::fixed("STATE"),
        Column::flexible("TEAM"),
        Column::fixed("START").minor(),
        Column::fixed("END"),
        Column::fixed("LEFT").minor(),
        Column::flexible("NAME"),
    ]);
    for sprint in sprints {
        table.row([
            sprint.id.as_str().into(),
            name(&sprint.state).into(),
            sprint.team.key.as_str().into(),
            option(sprint.start.map(|day| day.to_string()).as_deref()).into(),
            option(sprint.end.map(|day| day.to_string()).as_deref()).into(),
            left(sprint.work).into(),
            sprint.name.as_str().into(),
        ]);
    }
    table
}
