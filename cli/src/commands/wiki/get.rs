//! `svc wiki get`.

use super::shared::{At, text};
use crate::failure::Failure;
use crate::output::Output;
use crate::reading::remember;
use crate::session::Session;

/// Print a page's Markdown. On a terminal it is rendered; --raw prints the source.
///
/// svc remembers the version that you read, so that `svc wiki put` does not overwrite later changes by others.
#[derive(clap::Args)]
#[command(
    override_usage = "svc wiki get [OPTIONS] [PROJECT_KEY] <PAGE_PATH>",
    after_help = "\
Examples:
  svc wiki get -p PRJ 'Factory/Fix a bug' > playbook.md
  svc wiki get -p PRJ Guides/Testing --version 3"
)]
pub(crate) struct Args {
    #[command(flatten)]
    at: At,
    /// Print this earlier version
    #[arg(long, value_name = "N")]
    version: Option<u64>,
    /// Print the Markdown source, even on a terminal
    #[arg(long)]
    raw: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, (project, path)) = (session.org_slug().await?, args.at.names(session).await?);
    let (project, path) = (project.as_str(), path.as_str());
    let (org, output) = (session.org(&slug), session.output);
    if let Some(number) = args.version {
        let version = org.wiki_version(project, path, number).await?;
        return if output.json { output.json(&version) } else { show(&version.body, args.raw, output).await };
    }
    let page = org.wiki_page(project, path).await?;
    if output.shows(&page, &page.body) {
        remember(&text(&slug, project, &page), session);
    }
    if output.json { output.json(&page) } else { show(&page.body, args.raw, output).await }
}

async fn show(body: &str, raw: bool, output: &Output) -> Result<(), Failure> {
    output.paged(|| if raw { output.exact(body) } else { output.markdown(body, "") }).await
}
