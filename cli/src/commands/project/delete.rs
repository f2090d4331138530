//! `svc project delete` and `svc project restore`.

use super::shared::table;
use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::keys::project_key;
use crate::session::Session;
use svc_domain::ids::ProjectKey;

/// Delete a project and everything in it. It can be restored for 30 days.
///
/// Nobody can open it any more, its runs are cancelled, and its key is never reused. Only Owners and Admins of the
/// organization can delete and restore projects.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc project delete PRJ
  svc project delete PRJ --yes")]
pub(crate) struct Args {
    /// Key of the project
    #[arg(value_name = "PROJECT_KEY", value_parser = project_key)]
    key: ProjectKey,
    #[command(flatten)]
    confirm: Confirm,
}

/// Restore a deleted project with everything in it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc project list --deleted
  svc project restore PRJ")]
pub(crate) struct RestoreArgs {
    /// Key of the project
    #[arg(value_name = "PROJECT_KEY", value_parser = project_key)]
    key: ProjectKey,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    // Says so at once where there is none.
    let project = session.org(&org).project(args.key.as_str()).await?;
    if args.confirm.asks(session.output) {
        session.output.say("Its queued and running runs are cancelled. It can be restored for 30 days.");
    }
    args.confirm.sure_by_name("project and everything in it", &project.key, session.output)?;
    session.org(&org).delete_project(&project.key).await?;
    let key = &project.key;
    session
        .output
        .say(&format!("deleted the project {key}; `svc project restore {key}` brings it back for 30 days"));
    Ok(())
}

pub(super) async fn restore(args: RestoreArgs, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, key) = (session.org_slug().await?, args.key.as_str());
    let org = session.org(&slug);
    // Restoring what is not deleted changes nothing: perhaps another one was meant.
    if org.project(key).await.is_ok() {
        return Err(Failure::not_found(format!("the project {key} is not deleted"))
            .hint("`svc project list --deleted` shows those that are"));
    }
    session.output.one(&org.restore_project(key).await?, table)
}
