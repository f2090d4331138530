//! `svc wiki delete`.

use super::shared::At;
use crate::commands::confirm::Confirm;
use crate::failure::Failure;
use crate::session::Session;

/// Delete a page. `svc wiki restore` brings it back.
#[derive(clap::Args)]
#[command(
    override_usage = "svc wiki delete [OPTIONS] [PROJECT_KEY] <PAGE_PATH>",
    after_help = "\
Examples:
  svc wiki delete -p PRJ Guides/Old
  svc wiki delete -p PRJ Guides/Old --yes"
)]
pub(crate) struct Args {
    #[command(flatten)]
    at: At,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, (project, path)) = (session.org_slug().await?, args.at.names(session).await?);
    let (project, path) = (project.as_str(), path.as_str());
    let org = session.org(&slug);
    if args.confirm.asks(session.output) {
        // Says so at once where there is none.
        org.wiki_page(project, path).await?;
    }
    args.confirm.sure(&format!("Delete the page {path} of {project}?"), session.output)?;
    org.delete_wiki_page(project, path).await?;
    session
        .output
        .say(&format!("deleted the page {path:?}; `svc wiki restore -p {project} '{path}'` brings it back"));
    Ok(())
}
