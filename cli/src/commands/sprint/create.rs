//! `svc sprint create`.

use jiff::civil::Date;
use svc_api::tracker::NewSprint;

use super::shared::{say_days, show};
use crate::commands::in_project::InProject;
use crate::commands::new_name::{NewName, taken};
use crate::failure::Failure;
use crate::output::one_line;
use crate::session::Session;
use crate::values::{LastDay, day, last_day, number};

/// Plan a sprint for a team.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc sprint create -p PRJ -t web --name 'Sprint 12' --start 2027-01-04 --end 2027-01-15
  svc sprint create -p PRJ 'Sprint 13' --start monday --end +11d")]
pub(crate) struct Args {
    #[command(flatten)]
    project: InProject,
    /// Key or id of the team; not needed if the project has only one
    #[arg(short, long, value_name = "TEAM")]
    team: Option<String>,
    #[command(flatten)]
    name: NewName,
    /// What the team wants to achieve
    #[arg(long, default_value_t, hide_default_value = true)]
    goal: String,
    /// First day, such as 2027-01-04, tomorrow, monday or +3d
    #[arg(long, value_name = "DAY", value_parser = day)]
    start: Option<Date>,
    /// Last day; +11d and friday count from the first day
    #[arg(long, value_name = "DAY", value_parser = last_day)]
    end: Option<LastDay>,
    /// Capacity of the team, in the unit of estimates
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number)]
    capacity: Option<f64>,
    /// Was needed for the name of another sprint, which is refused now
    #[arg(long, hide = true)]
    force: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let Args { project, team, name, goal, start, end, capacity, force } = args;
    let project = project.key(session).await?;
    let org = session.org_slug().await?;
    let team = match team {
        Some(team) => team,
        None => only_team(project.as_str(), &org, session).await?,
    };
    let last = end.map(|end| end.of(start));
    let new = NewSprint { team, name: name.into_text(), goal, start, end: last, capacity };
    if force {
        session.output.warn("--force does nothing: the sprints of a project have different names");
    }
    let created = session.org(&org).create_sprint(project.as_str(), &new).await;
    let next = format!("choose another name, or see `svc sprint list -p {project}`");
    let created = created.map_err(|error| taken(error, "a sprint", &new.name, &next))?;
    say_days(end, &created, session);
    show(&created, session)
}

/// Key of the project's team, where there is no choice.
async fn only_team(project: &str, org: &str, session: &Session<'_>) -> Result<String, Failure> {
    let mut teams = session.org(org).teams(project).await?;
    if teams.len() == 1 {
        return Ok(teams.remove(0).key);
    }
    let keys: Vec<_> = teams.iter().map(|team| one_line(&team.key)).collect();
    Err(Failure::rejected("no team is named").hint(match keys[..] {
        [] => format!("create a team with `svc team create -p {project}`"),
        _ => format!("name one with --team; the teams of {project} are {}", keys.join(", ")),
    }))
}
