//! `svc project archive`.

use svc_api::tracker::UpdateProject;
use svc_domain::ids::ProjectKey;

use crate::args::project_key;
use crate::failure::Failure;
use crate::session::Session;

/// Archive a project: it can be read, and nothing in it can be changed.
///
/// It leaves the list of projects until `svc project unarchive` brings it back.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc project archive PRJ")]
pub(crate) struct Args {
    /// Key of the project
    #[arg(value_name = "PROJECT_KEY", value_parser = project_key)]
    key: ProjectKey,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let change = UpdateProject { archived: Some(true), ..UpdateProject::default() };
    super::change(&args.key, change, session).await
}
