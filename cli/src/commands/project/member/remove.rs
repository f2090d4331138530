//! `svc project member remove`.

use crate::commands::in_project::{InProject, with_project};
use crate::commands::people;
use crate::failure::Failure;
use crate::session::Session;

/// Remove a member from a project. Everything they wrote stays, and you can add them again.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc project member remove PRJ ada@example.org")]
pub(crate) struct Args {
    /// Key of the project (or give it with -p), and the address, name or id of the member, or @me
    #[arg(value_name = "MEMBER", num_args = 1..=2, required = true)]
    words: Vec<String>,
    #[command(flatten)]
    project: InProject,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let (project, words) = with_project(&args.words, 1, &args.project, session).await?;
    let member = people::member(&words[0], &org, session).await?;
    session.org(&org).remove_project_member(&project, &member.user_id).await?;
    session.output.say(&format!("removed {} from {}", people::called(&member), project));
    Ok(())
}
