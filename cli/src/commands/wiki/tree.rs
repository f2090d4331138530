//! `svc wiki tree`.

use crate::commands::in_project::ThisProject;
use crate::failure::Failure;
use crate::output::{Column, Table, when};
use crate::session::Session;

/// List the pages of a project's wiki.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc wiki tree -p PRJ")]
pub(crate) struct Args {
    #[command(flatten)]
    project: ThisProject,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let pages = session.org(&org).wiki_tree(project.as_str()).await?;
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
