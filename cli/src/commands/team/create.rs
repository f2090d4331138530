//! `svc team create`.

use svc_api::tracker::NewTeam;

use super::shared::table;
use crate::commands::in_project::InProject;
use crate::commands::new_name::taken;
use crate::commands::people;
use crate::failure::Failure;
use crate::session::Session;

/// Create a team with its own sprints.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc team create web -p PRJ --name 'Web front end' --member ada@example.org --member @me")]
pub(crate) struct Args {
    /// Short name that cannot be changed later: 1 to 20 letters, digits and inner hyphens
    #[arg(value_name = "NEW_KEY")]
    key: String,
    #[command(flatten)]
    project: InProject,
    /// Name shown to people
    #[arg(long)]
    name: String,
    /// Address, name or id of a member of the project, or @me; may be repeated
    #[arg(long = "member", value_name = "MEMBER")]
    members: Vec<String>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let members = people::accounts(&args.members, &org, session).await?;
    let new = NewTeam { key: args.key, name: args.name, members };
    let created = session.org(&org).create_team(project.as_str(), &new).await;
    let next = format!("choose another key, or change that team with `svc team edit -p {project}`");
    let team = created.map_err(|error| taken(error, "a team", &new.key, &next))?;
    session.output.one(&team, table)
}
