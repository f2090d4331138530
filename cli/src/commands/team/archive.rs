//! `svc team archive`.

use super::shared::{Which, set_archived};
use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::session::Session;

/// Archive a team. It can no longer plan sprints.
///
/// A team with planned or active sprints cannot be archived (exit code 3).
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc team archive web -p PRJ")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let question = format!("Archive the team {}?", args.which.team);
    if args.confirm.asks(session.output) {
        // Says so at once where there is none.
        let (org, project) = (session.org_slug().await?, args.which.project.key(session).await?);
        session.org(&org).team(project.as_str(), &args.which.team).await?;
    }
    args.confirm.sure_on_terminal(&question, session.output)?;
    set_archived(&args.which, true, session).await
}
