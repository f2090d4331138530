//! `svc project member add`.

use svc_api::identity::{ProjectRole, SetProjectMember};
use svc_domain::ids::ProjectKey;

use super::table;
use crate::args::{project_key, project_role};
use crate::commands::people;
use crate::failure::Failure;
use crate::session::Session;

/// Let a member of the organization into a project, or change what they are in it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc project member add PRJ ada@example.org
  svc project member add PRJ 'Ada Lovelace' --role admin")]
pub(crate) struct Args {
    /// Key of the project
    #[arg(value_name = "PROJECT_KEY", value_parser = project_key)]
    project: ProjectKey,
    /// Address, name or id of the member
    #[arg(value_name = "MEMBER")]
    member: String,
    /// Role in the project
    #[arg(long, value_parser = project_role(), ignore_case = true, default_value = "member")]
    role: ProjectRole,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let member = people::member(&args.member, &org, session).await?;
    let set = SetProjectMember { role: args.role, version: None };
    let added = session.org(&org).set_project_member(args.project.as_str(), &member.user_id, &set).await?;
    let output = session.output;
    if output.json { output.json(&added) } else { output.table(&table(&[added], &[member])) }
}
