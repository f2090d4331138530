//! `svc sprint delete`.

use crate::failure::Failure;
use crate::session::Session;

/// Delete a planned sprint. Its items go back to the backlog.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Id of the sprint
    #[arg(value_name = "SPRINT_ID")]
    id: String,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    session.org(&org).delete_sprint(&args.id).await?;
    session.output.say(&format!("deleted {}", args.id));
    Ok(())
}
