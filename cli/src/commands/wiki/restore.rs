//! `svc wiki restore`: reads the page's version, then brings an earlier text back under it.

use svc_api::wiki::RestorePage;

use super::shared::{At, show};
use crate::failure::Failure;
use crate::session::Session;

/// Restore an earlier version of a page, as its next version.
#[derive(clap::Args)]
#[command(
    override_usage = "svc wiki restore [OPTIONS] [PROJECT_KEY] <PAGE_PATH>",
    after_help = "\
Example:
  svc wiki restore -p PRJ Guides/Testing --version 3"
)]
pub(crate) struct Args {
    #[command(flatten)]
    at: At,
    /// The version to restore
    #[arg(long, value_name = "N")]
    version: u64,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, (project, path)) = (session.org_slug().await?, args.at.names(session)?);
    let (project, path) = (project.as_str(), path.as_str());
    let org = session.org(&slug);
    let version = org.wiki_page(project, path).await?.version;
    let restore = RestorePage { version, restore: args.version };
    show(&org.restore_wiki_page(project, path, &restore).await?, session)
}
