//! `svc wiki deleted`.

use crate::commands::in_project::InProject;
use crate::failure::Failure;
use crate::output::{Column, Table, when};
use crate::session::Session;

/// List deleted pages that `svc wiki restore` can restore.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc wiki deleted -p PRJ")]
pub(crate) struct Args {
    #[command(flatten)]
    project: InProject,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let pages = session.org(&org).deleted_wiki_pages(project.as_str()).await?;
    if session.output.json {
        return session.output.json(&pages);
    }
    if pages.is_empty() {
        session.output.say("There are no deleted pages that you can restore.");
        return Ok(());
    }
    let mut table = Table::new([
        Column::fixed("ID"),
        Column::fixed("DELETED"),
        Column::flexible("BY"),
        Column::flexible("PATH"),
    ]);
    for page in &pages {
        table.row([
            page.id.as_str().into(),
            when(page.deleted_at).into(),
            page.deleted_by.name.as_str().into(),
            page.path.as_str().into(),
        ]);
    }
    session.output.table(&table)
}
