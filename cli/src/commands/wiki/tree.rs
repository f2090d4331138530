//! `svc wiki tree`.

use svc_domain::ids::ProjectKey;

use crate::args::project_key;
use crate::failure::Failure;
use crate::output::{Column, Table, when};
use crate::session::Session;

/// List the pages of a project's wiki.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Key of the project
    #[arg(short, long, value_name = "PROJECT_KEY", value_parser = project_key)]
    project: ProjectKey,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let pages = session.org(&org).wiki_tree(args.project.as_str()).await?;
    if session.output.json {
        return session.output.json(&pages);
    }
    if pages.is_empty() {
        session.output.say("The wiki has no pages that you can see.");
        return Ok(());
    }
    let mut table =
        Table::new([Column::fixed("VERSION"), Column::fixed("UPDATED"), Column::flexible("PATH")]);
    for page in &pages {
        table.row([page.version.to_string().into(), when(page.updated_at).into(), page.path.as_str().into()]);
    }
    session.output.table(&table)
}
