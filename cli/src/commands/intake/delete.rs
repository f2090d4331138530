//! `svc intake delete`.

use super::shared::Which;
use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::session::Session;

/// Delete an intake. Its address stops working; its items stay.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc intake delete 'Contact form' -p PRJ --yes")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.which.project.key(session).await?);
    let intake = args.which.find(&org, session).await?;
    args.confirm.sure(&format!("Delete the intake {:?} of {project}?", intake.name), session.output)?;
    session.org(&org).delete_intake(project.as_str(), &intake.id).await?;
    session.output.say(&format!("deleted the intake {:?} of {project}", intake.name));
    Ok(())
}
