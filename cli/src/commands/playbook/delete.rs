//! `svc playbook delete` and `svc playbook restore`.

use super::shared::{Which, find, find_deleted, table};
use crate::commands::confirm::Confirm;
use crate::commands::deleted::not_restored;
use crate::failure::Failure;
use crate::session::Session;

/// Delete a playbook and the page with its instructions. They can be restored for 30 days.
///
/// Queued and running runs keep the instructions that they were queued with.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc playbook delete Implement -p PRJ
  svc playbook delete Implement -p PRJ --yes")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    confirm: Confirm,
}

/// Restore a deleted playbook and its page.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc playbook list -p PRJ --deleted
  svc playbook restore Implement -p PRJ")]
pub(crate) struct RestoreArgs {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.which.project.key(session).await?);
    let playbook = find(&args.which.playbook, project.as_str(), &org, session).await?;
    args.confirm.sure_by_name("playbook", &playbook.name, session.output)?;
    session.org(&org).delete_playbook(project.as_str(), &playbook.id).await?;
    let name = &playbook.name;
    session
        .output
        .say(&format!("deleted the playbook {name:?}; `svc playbook restore {name:?} -p {project}` brings it back for 30 days"));
    Ok(())
}

pub(super) async fn restore(args: RestoreArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.which.project.key(session).await?);
    let playbook = find_deleted(&args.which.playbook, project.as_str(), &org, session).await?;
    let restored = session.org(&org).restore_playbook(project.as_str(), &playbook.id).await;
    let hint = format!("`svc playbook delete {:?} -p {project}` deletes the other one", playbook.name);
    session.output.one(&restored.map_err(|error| not_restored(error, "Another playbook", &hint))?, table)
}
