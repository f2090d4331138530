//! `svc template delete`.

use super::shared::Which;
use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::session::Session;

/// Delete an item template. Items that were created with it stay as they are.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc template delete 'User story' -p PRJ
  svc template delete 'User story' -p PRJ --yes")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let template = args.which.find(&org, session).await?;
    let (name, project) = (&template.name, args.which.project.key(session).await?);
    args.confirm.sure(&format!("Delete the template {name:?} of {project}?"), session.output)?;
    session.org(&org).delete_template(project.as_str(), &template.id).await?;
    session.output.say(&format!("deleted the template {name:?} of {project}"));
    Ok(())
}
