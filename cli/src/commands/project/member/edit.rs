//! `svc project member edit`: reads the version of the membership, then sets the role under it.

use svc_api::identity::{ProjectRole, SetProjectMember};

use super::shared::table;
use crate::commands::in_project::{InProject, with_project};
use crate::commands::people;
use crate::failure::Failure;
use crate::session::Session;
use crate::values::project_role;

/// Change the role of a member of a project.
///
/// If someone else saves in between, nothing is changed (exit code 3).
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc project member edit PRJ ada@example.org --role member")]
pub(crate) struct Args {
    /// Key of the project (or give it with -p), and the address, name or id of the member, or @me
    #[arg(value_name = "MEMBER", num_args = 1..=2, required = true)]
    words: Vec<String>,
    #[command(flatten)]
    project: InProject,
    /// New role in the project
    #[arg(long, value_parser = project_role(), ignore_case = true)]
    role: ProjectRole,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let slug = session.org_slug().await?;
    let (project, words) = with_project(&args.words, 1, &args.project, session).await?;
    let (org, project) = (session.org(&slug), project.as_str());
    let member = people::member(&words[0], &slug, session).await?;
    let members = org.project_members(project).await?;
    let Some(now) = members.iter().find(|known| known.user_id == member.user_id) else {
        let who = people::called(&member);
        return Err(Failure::not_found(format!("{who} is not in {project}"))
            .hint(format!("add them with `svc project member add {project} {}`", member.email)));
    };
    let set = SetProjectMember { role: args.role, version: Some(now.version) };
    let set = org.set_project_member(project, &member.user_id, &set).await?;
    let output = session.output;
    if output.json { output.json(&set) } else { output.table(&table(&[set], &[member])) }
}
