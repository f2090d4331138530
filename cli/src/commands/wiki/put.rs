//! `svc wiki put`: reads the page's version, then writes the next one under it.

use std::path::PathBuf;

use svc_api::wiki::PutPage;
use svc_client::Error;
use svc_domain::ids::ProjectKey;
use svc_domain::wiki::PagePath;

use super::table;
use crate::args::{page_path, project_key};
use crate::commands::files::read_text;
use crate::failure::Failure;
use crate::session::Session;

/// Write a page, creating it where there is none.
///
/// If someone else saves in between, nothing is changed (exit code 3).
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc wiki put PRJ 'Guides/Testing' --file testing.md")]
pub(crate) struct Args {
    /// Key of the project
    #[arg(value_name = "PROJECT_KEY", value_parser = project_key)]
    project: ProjectKey,
    /// Names from the root to the page, separated by /
    #[arg(value_name = "PAGE_PATH", value_parser = page_path)]
    path: PagePath,
    /// File with the page's Markdown; - reads stdin
    #[arg(long, value_name = "PATH")]
    file: PathBuf,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let body = read_text(&args.file)?;
    let org = session.org_slug().await?;
    let (project, path) = (args.project.as_str(), args.path.as_str());
    let version = match session.org(&org).wiki_page(project, path).await {
        Ok(page) => Some(page.version),
        Err(Error::Problem(problem)) if problem.status == 404 => None,
        Err(error) => return Err(error.into()),
    };
    let page = session.org(&org).put_wiki_page(project, path, &PutPage { version, body }).await?;
    if session.output.json {
        return session.output.json(&page);
    }
    session.output.table(&table(&page))
}
