//! `svc workflow view`.

use svc_domain::ids::ProjectKey;

use crate::args::project_key;
use crate::failure::Failure;
use crate::session::Session;

/// Show a project's states in board order, and where items may go from each.
///
/// With --json it prints what `svc workflow edit` reads.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc workflow view -p PRJ
  svc workflow view -p PRJ --json > workflow.json")]
pub(crate) struct Args {
    /// Key of the project
    #[arg(short, long, value_name = "PROJECT_KEY", value_parser = project_key)]
    project: ProjectKey,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let workflow = session.org(&org).workflow(args.project.as_str()).await?;
    super::show(&workflow, session)
}
