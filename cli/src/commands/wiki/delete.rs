//! `svc wiki delete`.

use super::shared::At;
use crate::failure::Failure;
use crate::session::Session;

/// Delete a page. `svc wiki undelete` restores it.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc wiki delete PRJ Guides/Old")]
pub(crate) struct Args {
    #[command(flatten)]
    at: At,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, (project, path)) = (session.org_slug().await?, args.at.names(session)?);
    let (project, path) = (project.as_str(), path.as_str());
    session.org(&slug).delete_wiki_page(project, path).await?;
    session.output.say(&format!("deleted {path}"));
    Ok(())
}
