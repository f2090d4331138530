//! `svc sprint start`: reads the sprint's version, then starts it under that version.

use svc_api::tracker::StartSprint;

use super::shared::show;
use super::which::Which;
use crate::failure::Failure;
use crate::session::Session;

/// Start a planned sprint. A team can have one active sprint.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc sprint start 'Sprint 12' -p PRJ")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let slug = session.org_slug().await?;
    let id = args.which.id(&slug, session).await?;
    let org = session.org(&slug);
    let version = org.sprint(&id).await?.version;
    show(&org.start_sprint(&id, &StartSprint { version }).await?, session)
}
