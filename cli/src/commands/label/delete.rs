//! `svc label delete`.

use super::shared::{Which, on_items};
use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::session::Session;

/// Delete a label, and remove it from every item.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc label delete wontfix -p PRJ
  svc label delete wontfix -p PRJ --yes")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let label = args.which.find(&org, session).await?;
    let (name, project, count) = (&label.name, args.which.project.key(session).await?, on_items(label.items));
    args.confirm
        .sure(&format!("Delete the label {name} of {project} and remove it from {count}?"), session.output)?;
    session.org(&org).delete_label(project.as_str(), name).await?;
    session.output.say(&format!("deleted the label {name} of {project}"));
    Ok(())
}
