//! `svc wiki get`.

use svc_domain::ids::ProjectKey;
use svc_domain::wiki::PagePath;

use crate::args::{page_path, project_key};
use crate::failure::Failure;
use crate::session::Session;

/// Print a page's Markdown.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc wiki get PRJ 'Factory/Fix a bug' > playbook.md")]
pub(crate) struct Args {
    /// Key of the project
    #[arg(value_name = "PROJECT_KEY", value_parser = project_key)]
    project: ProjectKey,
    /// Names from the root to the page, separated by /
    #[arg(value_name = "PAGE_PATH", value_parser = page_path)]
    path: PagePath,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let page = session.org(&org).wiki_page(args.project.as_str(), args.path.as_str()).await?;
    if session.output.json { session.output.json(&page) } else { session.output.text(&page.body) }
}
