//! `svc template list`.

use svc_domain::ids::ProjectKey;

use super::table;
use crate::args::project_key;
use crate::failure::Failure;
use crate::session::Session;

/// List a project's ticket templates.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc template list -p PRJ")]
pub(crate) struct Args {
    /// Key of the project
    #[arg(short, long, value_name = "PROJECT_KEY", value_parser = project_key)]
    project: ProjectKey,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let templates = session.org(&org).templates(args.project.as_str()).await?;
    session.output.all(&templates, "The project has no ticket templates.", table)
}
