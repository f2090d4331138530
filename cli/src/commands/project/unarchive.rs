//! `svc project unarchive`.

use svc_api::tracker::UpdateProject;

use crate::commands::in_project::ThisProject;
use crate::failure::Failure;
use crate::session::Session;

/// Restore an archived project.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc project unarchive PRJ")]
pub(crate) struct Args {
    #[command(flatten)]
    which: ThisProject,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let change = UpdateProject { archived: Some(false), ..UpdateProject::default() };
    super::shared::change(&args.which.key(session).await?, change, session).await
}
