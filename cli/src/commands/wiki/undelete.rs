//! `svc wiki undelete`.

use super::shared::show;
use crate::commands::in_project::{InProject, with_project};
use crate::failure::Failure;
use crate::session::Session;

/// Restore a deleted page, with all its versions.
#[derive(clap::Args)]
#[command(
    override_usage = "svc wiki undelete [OPTIONS] [PROJECT_KEY] <PAGE_ID>",
    after_help = "\
Example:
  svc wiki undelete -p PRJ 0193a6e5-..."
)]
pub(crate) struct Args {
    /// Id of the page from `svc wiki deleted`; a key before it names the project, too
    #[arg(value_name = "PAGE_ID", num_args = 1..=2, required = true)]
    words: Vec<String>,
    #[command(flatten)]
    project: InProject,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (project, id) = with_project(&args.words, 1, &args.project, session)?;
    let org = session.org_slug().await?;
    show(&session.org(&org).undelete_wiki_page(&project, &id[0]).await?, session)
}
