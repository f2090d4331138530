//! `svc project archive`.

use svc_api::tracker::UpdateProject;

use crate::commands::in_project::ThisProject;
use crate::failure::Failure;
use crate::session::Session;

/// Archive a project. It becomes read-only.
///
/// It is hidden from the list of projects until you restore it with `svc project unarchive`.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc project archive PRJ")]
pub(crate) struct Args {
    #[command(flatten)]
    which: ThisProject,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let change = UpdateProject { archived: Some(true), ..UpdateProject::default() };
    super::shared::change(&args.which.key(session)?, change, session).await
}
