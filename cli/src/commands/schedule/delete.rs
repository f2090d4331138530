//! `svc schedule delete`.

use super::shared::Which;
use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::session::Session;

/// Delete a schedule. Its items and runs stay.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc schedule delete nightly -p PRJ --yes")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let schedule = args.which.find(&org, session).await?;
    let project = args.which.project.key(session).await?;
    args.confirm.sure(&format!("Delete the schedule {:?} of {project}?", schedule.name), session.output)?;
    session.org(&org).delete_schedule(project.as_str(), &schedule.id).await?;
    session.output.say(&format!("deleted the schedule {:?} of {project}", schedule.name));
    Ok(())
}
