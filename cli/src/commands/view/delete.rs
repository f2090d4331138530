//! `svc view delete`.

use super::shared::Which;
use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::session::Session;

/// Delete a saved view. Its items stay as they are.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc view delete 'Open bugs' -p PRJ
  svc view delete 'Open bugs' -p PRJ --yes")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let view = args.which.find(&org, session).await?;
    let (name, project) = (&view.name, args.which.project.key(session).await?);
    let kind = if view.shared { "shared view" } else { "view" };
    args.confirm.sure(&format!("Delete the {kind} {name:?} of {project}?"), session.output)?;
    session.org(&org).delete_view(project.as_str(), &view.id).await?;
    session.output.say(&format!("deleted the {kind} {name:?} of {project}"));
    Ok(())
}
