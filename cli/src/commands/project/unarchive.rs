//! `svc project unarchive`.

use svc_api::tracker::UpdateProject;
use svc_domain::ids::ProjectKey;

use crate::args::project_key;
use crate::failure::Failure;
use crate::session::Session;

/// Bring an archived project back.
///
/// Everything in it is as it was.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc project unarchive PRJ")]
pub(crate) struct Args {
    /// Key of the project
    #[arg(value_name = "PROJECT_KEY", value_parser = project_key)]
    key: ProjectKey,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let change = UpdateProject { archived: Some(false), ..UpdateProject::default() };
    super::change(&args.key, change, session).await
}
