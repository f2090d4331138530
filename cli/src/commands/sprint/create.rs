//! `svc sprint create`.

use jiff::civil::Date;
use svc_api::tracker::{NewSprint, SprintQuery};

use super::shared::show;
use crate::commands::in_project::InProject;
use crate::commands::new_name::NewName;
use crate::failure::Failure;
use crate::session::Session;
use crate::values::{day, number};

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
    #[command(flatten)]
    name: NewName,
    /// What the team wants to achieve
    #[arg(long, default_value_t, hide_default_value = true)]
    goal: String,
    /// First day, such as 2027-01-04
    #[arg(long, value_name = "DAY", value_parser = day)]
    start: Option<Date>,
    /// Last day
    #[arg(long, value_name = "DAY", value_parser = day)]
    end: Option<Date>,
    /// Effort that the team has available
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number)]
    capacity: Option<f64>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let Args { project, team, name, goal, start, end, capacity } = args;
    let project = project.key(session)?;
    let new = NewSprint { team, name: name.into_text(), goal, start, end, capacity };
    let org = session.org_slug().await?;
    let namesake = has_namesake(&new, project.as_str(), &org, session).await;
    let sprint = session.org(&org).create_sprint(project.as_str(), &new).await?;
    show(&sprint, session)?;
    if namesake {
        let name = &sprint.name;
        session.output.warn(&format!("the team has another sprint named {name:?}; name this one by its id"));
    }
    Ok(())
}

/// Whether the team has a sprint of the name already, as far as can be told.
async fn has_namesake(new: &NewSprint, project: &str, org: &str, session: &Session<'_>) -> bool {
    let query = SprintQuery { team: Some(new.team.clone()), page_size: Some(100), ..SprintQuery::default() };
    let sprints = session.org(org).sprints(project, &query).await;
    let name = new.name.to_lowercase();
    sprints.is_ok_and(|page| page.items.iter().any(|other| other.name.to_lowercase() == name))
}
