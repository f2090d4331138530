//! `svc wiki diff`.

use svc_api::wiki::DiffQuery;

use super::shared::At;
use crate::failure::Failure;
use crate::session::Session;

/// Show the difference between two versions of a page, as a unified diff.
#[derive(clap::Args)]
#[command(
    override_usage = "svc wiki diff [OPTIONS] [PROJECT_KEY] <PAGE_PATH>",
    after_help = "\
Examples:
  svc wiki diff -p PRJ Guides/Testing
  svc wiki diff -p PRJ Guides/Testing --from 3 --to 7"
)]
pub(crate) struct Args {
    #[command(flatten)]
    at: At,
    /// Older version [default: the one before the newer]
    #[arg(long, value_name = "N")]
    from: Option<u64>,
    /// Newer version [default: the current one]
    #[arg(long, value_name = "N")]
    to: Option<u64>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, (project, path)) = (session.org_slug().await?, args.at.names(session).await?);
    let (project, path) = (project.as_str(), path.as_str());
    let query = DiffQuery { from: args.from, to: args.to };
    let diff = session.org(&slug).wiki_diff(project, path, &query).await?;
    if session.output.json {
        return session.output.json(&diff);
    }
    if diff.hunks.is_empty() {
        session.output.say(&format!("Versions {} and {} have the same text.", diff.from, diff.to));
        return Ok(());
    }
    session.output.paged(|| session.output.text(&diff.unified)).await?;
    if diff.truncated {
        session.output.say("There are more differences than these.");
    }
    Ok(())
}
