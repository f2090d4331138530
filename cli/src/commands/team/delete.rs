//! `svc team delete`.

use super::shared::Which;
use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::session::Session;

/// Delete a team that never had a sprint. Archive a team that had one.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc team delete web -p PRJ
  svc team delete web -p PRJ --yes")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let Which { team, project } = args.which;
    let project = project.key(session).await?;
    let org = session.org_slug().await?;
    if args.confirm.asks(session.output) {
        // Says so at once where there is none.
        session.org(&org).team(project.as_str(), &team).await?;
    }
    args.confirm.sure(&format!("Delete the team {team} of {project}?"), session.output)?;
    session.org(&org).delete_team(project.as_str(), &team).await?;
    session.output.say(&format!("deleted the team {team} of {project}"));
    Ok(())
}
