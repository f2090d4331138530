//! `svc wiki move`: reads the page's version, then moves it under it.

use svc_api::wiki::MovePage;
use svc_domain::ids::ProjectKey;
use svc_domain::wiki::PagePath;

use super::table;
use crate::args::{page_path, project_key};
use crate::failure::Failure;
use crate::session::Session;

/// Move or rename a page, with all pages below it.
///
/// There must be no page at the new path. The old paths lead on to the new ones. If someone else saves in
/// between, nothing is moved (exit code 3).
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc wiki move PRJ Guides/Testing Team/Handbook/Testing")]
pub(crate) struct Args {
    /// Key of the project
    #[arg(value_name = "PROJECT_KEY", value_parser = project_key)]
    project: ProjectKey,
    /// Names from the root to the page, separated by /
    #[arg(value_name = "PAGE_PATH", value_parser = page_path)]
    path: PagePath,
    /// Where it shall be
    #[arg(value_name = "NEW_PATH", value_parser = page_path)]
    to: PagePath,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (project, path) = (args.project.as_str(), args.path.as_str());
    let org = session.org_slug().await?;
    let version = session.org(&org).wiki_page(project, path).await?.version;
    let wanted = MovePage { version, to: Some(args.to.into()), position: None };
    let page = session.org(&org).move_wiki_page(project, path, &wanted).await?;
    if session.output.json { session.output.json(&page) } else { session.output.table(&table(&page)) }
}
