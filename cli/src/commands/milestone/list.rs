//! `svc milestone list`.

use svc_api::tracker::{Milestone, MilestoneState};

use super::shared::{done, left};
use crate::commands::in_project::InProject;
use crate::failure::Failure;
use crate::output::{Column, Table, name, option};
use crate::session::Session;
use crate::values::milestone_state;

/// List a project's milestones: open ones by due day, then closed ones.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc milestone list -p PRJ
  svc milestone list -p PRJ --state open")]
pub(crate) struct Args {
    #[command(flatten)]
    project: InProject,
    /// Only milestones in this state
    #[arg(long, value_parser = milestone_state(), ignore_case = true)]
    state: Option<MilestoneState>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let mut milestones = session.org(&org).milestones(project.as_str()).await?;
    let none = match milestones.is_empty() {
        true => "The project has no milestones; create one with `svc milestone create <NAME>`.",
        false => "No milestones match.",
    };
    milestones.retain(|milestone| args.state.is_none_or(|state| state == milestone.state));
    session.output.all(&milestones, none, table)
}

fn table(milestones: &[Milestone]) -> Table {
    let mut table = Table::new([
        Column::fixed("STATE"),
        Column::fixed("DUE"),
        Column::fixed("DONE"),
        Column::fixed("LEFT").minor(),
        Column::flexible("NAME"),
    ]);
    for milestone in milestones {
        table.row([
            name(&milestone.state).into(),
            option(milestone.due.map(|day| day.to_string()).as_deref()).into(),
            done(milestone.progress).into(),
            left(milestone.progress).into(),
            milestone.name.as_str().into(),
        ]);
    }
    table
}
