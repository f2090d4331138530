//! `svc sprint create`.

use jiff::civil::Date;
use svc_api::tracker::NewSprint;

use super::shared::show;
use crate::commands::in_project::InProject;
use crate::failure::Failure;
use crate::session::Session;
use crate::values::number;

/// Plan a sprint of a team.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc sprint create -p PRJ -t web --name 'Sprint 12' --start 2027-01-04 --end 2027-01-15")]
pub(crate) struct Args {
    #[command(flatten)]
    project: InProject,
    /// Key or id of the team
    #[arg(short, long, value_name = "TEAM")]
    team: String,
    /// Name
    #[arg(long)]
    name: String,
    /// What the team wants to achieve
    #[arg(long, default_value_t, hide_default_value = true)]
    goal: String,
    /// First day, such as 2027-01-04
    #[arg(long, value_name = "DATE")]
    start: Option<Date>,
    /// Last day
    #[arg(long, value_name = "DATE")]
    end: Option<Date>,
    /// Effort that the team has available
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number)]
    capacity: Option<f64>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let Args { project, team, name, goal, start, end, capacity } = args;
    let project = project.key(session)?;
    let new = NewSprint { team, name, goal, start, end, capacity };
    let org = session.org_slug().await?;
    show(&session.org(&org).create_sprint(project.as_str(), &new).await?, session)
}
