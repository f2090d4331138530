//! `svc wiki restore`: brings a deleted page back; or reads the page's version, then brings an earlier text back under it.

use svc_api::wiki::RestorePage;

use super::shared::{At, show};
use super::undelete::bring_back;
use crate::failure::Failure;
use crate::session::Session;

/// Restore a deleted page with all its versions, or an earlier version of an existing page.
///
/// An earlier version becomes the page's next version. If several deleted pages had the path, the last deleted one is
/// restored; name another by its id.
#[derive(clap::Args)]
#[command(
    override_usage = "svc wiki restore [OPTIONS] [PROJECT_KEY] <PAGE_PATH>",
    after_help = "\
Examples:
  svc wiki deleted -p PRJ
  svc wiki restore -p PRJ Guides/Old
  svc wiki restore -p PRJ Guides/Testing --version 3"
)]
pub(crate) struct Args {
    #[command(flatten)]
    at: At,
    /// Version to restore, for a page that was not deleted
    #[arg(long, value_name = "N")]
    version: Option<u64>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, (project, path)) = (session.org_slug().await?, args.at.names(session).await?);
    let (project, path) = (project.as_str(), path.as_str());
    let Some(earlier) = args.version else { return bring_back(project, path, session).await };
    let org = session.org(&slug);
    let version = org.wiki_page(project, path).await?.version;
    let restore = RestorePage { version, restore: earlier };
    show(&org.restore_wiki_page(project, path, &restore).await?, session)
}
