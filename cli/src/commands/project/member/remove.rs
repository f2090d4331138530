//! `svc project member remove`.

use svc_domain::ids::ProjectKey;

use crate::args::project_key;
use crate::commands::people;
use crate::failure::Failure;
use crate::session::Session;

/// Take a member out of a project. What they wrote stays, and they can be let in again.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc project member remove PRJ ada@example.org")]
pub(crate) struct Args {
    /// Key of the project
    #[arg(value_name = "PROJECT_KEY", value_parser = project_key)]
    project: ProjectKey,
    /// Address, name or id of the member
    #[arg(value_name = "MEMBER")]
    member: String,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let member = people::member(&args.member, &org, session).await?;
    session.org(&org).remove_project_member(args.project.as_str(), &member.user_id).await?;
    session.output.say(&format!("removed {} from {}", people::called(&member), args.project));
    Ok(())
}
