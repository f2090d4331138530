//! `svc project member list`.

use super::shared::table;
use crate::commands::in_project::ThisProject;
use crate::failure::Failure;
use crate::session::Session;

/// List the members of a project.
///
/// Owners and Admins of the organization can work in every project without being members of it.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc project member list PRJ")]
pub(crate) struct Args {
    #[command(flatten)]
    which: ThisProject,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let members = session.org(&org).project_members(args.which.key(session).await?.as_str()).await?;
    let output = session.output;
    if output.json {
        return output.json(&members);
    }
    if members.is_empty() {
        output.say("The project has no members; Owners and Admins of the organization can still work in it.");
        return Ok(());
    }
    output.table(&table(&members, &session.org(&org).members().await?))
}
