//! `svc wiki move`: reads the page's version, then moves it under it.

use svc_api::wiki::MovePage;

use super::shared::{located, show};
use crate::commands::in_project::InProject;
use crate::failure::Failure;
use crate::session::Session;

/// Move or rename a page, with all pages below it.
///
/// There must be no page at the new path. Old paths redirect to the new ones. If someone else saves in between,
/// nothing is moved (exit code 3).
#[derive(clap::Args)]
#[command(
    override_usage = "svc wiki move [OPTIONS] [PROJECT_KEY] <PAGE_PATH> <NEW_PATH>",
    after_help = "\
Example:
  svc wiki move -p PRJ Guides/Testing Team/Handbook/Testing"
)]
pub(crate) struct Args {
    /// Path of the page and its new path; the project's key may come first
    #[arg(value_names = ["PAGE_PATH", "NEW_PATH"], num_args = 2..=3, required = true)]
    words: Vec<String>,
    #[command(flatten)]
    project: InProject,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (project, [path, to]) = located(&args.words, &args.project, session).await?;
    let org = session.org_slug().await?;
    let version = session.org(&org).wiki_page(&project, &path).await?.version;
    let wanted = MovePage { version, to: Some(to), position: None };
    show(&session.org(&org).move_wiki_page(&project, &path, &wanted).await?, session)
}
