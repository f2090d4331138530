//! `svc sprint delete`.

use super::which::Which;
use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::session::Session;

/// Delete a planned sprint. Its items go back to the backlog.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc sprint delete 'Sprint 12'
  svc sprint delete 0193a6e5-... --yes")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let slug = session.org_slug().await?;
    let id = args.which.id(&slug, session).await?;
    let org = session.org(&slug);
    let sprint = org.sprint(&id).await?;
    let (name, project, count) = (&sprint.name, &sprint.project, sprint.work.items);
    let items = if count == 1 { "its item".to_owned() } else { format!("its {count} items") };
    let question = format!("Delete the sprint {name:?} of {project}, and move {items} to the backlog?");
    args.confirm.sure(&question, session.output)?;
    org.delete_sprint(&id).await?;
    session.output.say(&format!("deleted the sprint {name:?} of {project}"));
    Ok(())
}
