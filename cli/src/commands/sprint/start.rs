//! `svc sprint start`: reads the sprint's version, then starts it under that version.

use svc_api::tracker::StartSprint;

use super::shared::show;
use crate::failure::Failure;
use crate::session::Session;

/// Start a planned sprint. A team has one active sprint.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Id of the sprint
    #[arg(value_name = "SPRINT_ID")]
    id: String,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let slug = session.org_slug().await?;
    let org = session.org(&slug);
    let version = org.sprint(&args.id).await?.version;
    show(&org.start_sprint(&args.id, &StartSprint { version }).await?, session)
}
