//! `svc wiki undelete`, which `svc wiki restore` does as well.

use super::shared::{At, show};
use crate::commands::deleted::not_restored;
use crate::failure::Failure;
use crate::session::Session;

/// Restore a deleted page, as `svc wiki restore` does.
#[derive(clap::Args)]
#[command(
    override_usage = "svc wiki undelete [OPTIONS] [PROJECT_KEY] <PAGE_PATH>",
    hide = true,
    after_help = "\
Example:
  svc wiki undelete -p PRJ Guides/Old"
)]
pub(crate) struct Args {
    #[command(flatten)]
    at: At,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (project, path) = args.at.names(session).await?;
    bring_back(&project, &path, session).await
}

/// Restores the deleted page of this path, or of this id.
pub(super) async fn bring_back(project: &str, wanted: &str, session: &Session<'_>) -> Result<(), Failure> {
    let slug = session.org_slug().await?;
    let org = session.org(&slug);
    let pages = org.deleted_wiki_pages(project).await?;
    let by_id = pages.iter().find(|page| page.id.eq_ignore_ascii_case(wanted));
    // The last deleted is the first.
    let Some(page) = by_id.or_else(|| pages.iter().find(|page| page.path == wanted)) else {
        return Err(none(project, wanted, pages.is_empty()));
    };
    let restored = org.undelete_wiki_page(project, &page.id).await;
    let hint = format!("`svc wiki move -p {project} '{}' <NEW_PATH>` renames the other one", page.path);
    show(&restored.map_err(|error| not_restored(error, "Another page", &hint))?, session)
}

fn none(project: &str, wanted: &str, none_at_all: bool) -> Failure {
    if none_at_all {
        return Failure::not_found(format!("{project} has no deleted pages that you can restore"))
            .hint("--version restores an earlier text of a page that was not deleted");
    }
    Failure::not_found(format!("there is no deleted page {wanted:?} that you can restore")).hint(format!(
        "`svc wiki deleted -p {project}` lists them; --version restores an earlier text of a page that was not deleted"
    ))
}
