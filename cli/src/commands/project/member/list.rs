//! `svc project member list`.

use svc_domain::ids::ProjectKey;

use super::table;
use crate::args::project_key;
use crate::failure::Failure;
use crate::session::Session;

/// List the members of a project.
///
/// Owners and Admins of the organization work in every project without being members of it.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc project member list PRJ")]
pub(crate) struct Args {
    /// Key of the project
    #[arg(value_name = "PROJECT_KEY", value_parser = project_key)]
    project: ProjectKey,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let members = session.org(&org).project_members(args.project.as_str()).await?;
    let output = session.output;
    if output.json {
        return output.json(&members);
    }
    if members.is_empty() {
        output.say("The project has no members; Owners and Admins of the organization work in it anyway.");
        return Ok(());
    }
    output.table(&table(&members, &session.org(&org).members().await?))
}
