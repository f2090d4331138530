//! `svc team list`.

use svc_domain::ids::ProjectKey;

use super::table;
use crate::args::project_key;
use crate::failure::Failure;
use crate::session::Session;

/// List a project's teams, by key.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc team list -p PRJ")]
pub(crate) struct Args {
    /// Key of the project
    #[arg(short, long, value_name = "PROJECT_KEY", value_parser = project_key)]
    project: ProjectKey,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let teams = session.org(&org).teams(args.project.as_str()).await?;
    session.output.all(&teams, "The project has no teams.", table)
}
