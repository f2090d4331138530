//! `svc project archive`.

use svc_api::tracker::UpdateProject;

use crate::commands::confirm::Confirm;
use crate::commands::in_project::ThisProject;
use crate::failure::Failure;
use crate::session::Session;

/// Archive a project. It becomes read-only.
///
/// It is hidden from the list of projects until you restore it with `svc project unarchive`.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc project archive PRJ")]
pub(crate) struct Args {
    #[command(flatten)]
    which: ThisProject,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let change = UpdateProject { archived: Some(true), ..UpdateProject::default() };
    let key = args.which.key(session).await?;
    if args.confirm.asks(session.output) {
        // Says so at once where there is none.
        let org = session.org_slug().await?;
        session.org(&org).project(key.as_str()).await?;
    }
    args.confirm.sure_on_terminal(
        &format!("Archive {key}? Nobody can change anything in it until it is unarchived."),
        session.output,
    )?;
    super::shared::change(&key, change, session).await
}
