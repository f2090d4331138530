//! `svc team create`.

use svc_api::tracker::NewTeam;
use svc_domain::ids::ProjectKey;

use super::table;
use crate::args::project_key;
use crate::commands::people;
use crate::failure::Failure;
use crate::session::Session;

/// Form a team, which plans sprints of its own.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc team create web -p PRJ --name 'Web front end' --member ada@example.org --member @me")]
pub(crate) struct Args {
    /// Short name, for good: 1 to 20 letters, digits and inner hyphens
    #[arg(value_name = "NEW_KEY")]
    key: String,
    /// Key of the project
    #[arg(short, long, value_name = "PROJECT_KEY", value_parser = project_key)]
    project: ProjectKey,
    /// Name shown to people
    #[arg(long)]
    name: String,
    /// Address, name or id of a member of the project, or @me; may be repeated
    #[arg(long = "member", value_name = "MEMBER")]
    members: Vec<String>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let members = people::accounts(&args.members, &org, session).await?;
    let new = NewTeam { key: args.key, name: args.name, members };
    let team = session.org(&org).create_team(args.project.as_str(), &new).await?;
    session.output.one(&team, table)
}
