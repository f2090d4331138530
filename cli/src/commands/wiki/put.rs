//! `svc wiki put`: writes the next version of a page under the version that the person read.

use std::path::PathBuf;

use svc_api::wiki::PutPage;
use svc_client::Org;

use super::shared::{At, show, text};
use crate::commands::files::{check_not_emptied, given};
use crate::failure::Failure;
use crate::reading::{Overwrite, guard, remember};
use crate::session::Session;

/// Write a page, or create it.
///
/// If the page changed since you read it with `svc wiki get`, or you never read it, nothing is changed (exit code
/// 3). An empty file or stdin changes nothing either.
#[derive(clap::Args)]
#[command(
    override_usage = "svc wiki put [OPTIONS] [PROJECT_KEY] <PAGE_PATH>",
    after_help = "\
Examples:
  svc wiki put -p PRJ Guides/Testing --file testing.md
  svc wiki put -p PRJ Guides/Testing --file testing.md --if-version 7
  generate-reference | svc wiki put -p PRJ Reference --file - --force"
)]
pub(crate) struct Args {
    #[command(flatten)]
    at: At,
    /// The page's Markdown
    #[arg(short = 'm', long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "file")]
    body: Option<String>,
    /// File with the page's Markdown; - reads stdin
    #[arg(long, visible_alias = "body-file", value_name = "PATH", required_unless_present = "body")]
    file: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let from_file = args.file.is_some();
    let body = given(args.body, args.file)?.unwrap_or_default();
    let (slug, (project, path)) = (session.org_slug().await?, args.at.names(session)?);
    let (project, path) = (project.as_str(), path.as_str());
    let org = session.org(&slug);
    let version = match org.wiki_page(project, path).await {
        Ok(page) => {
            check_not_emptied(&page.body, &body, from_file)?;
            Some(guard(&text(&slug, project, &page), &body, &args.overwrite, session)?)
        }
        Err(error) if error.status() == Some(404) => None,
        Err(error) => return Err(error.into()),
    };
    let had_one_before = version.is_none() && was_deleted(project, path, org).await;
    let page = org.put_wiki_page(project, path, &PutPage { version, body }).await?;
    remember(&text(&slug, project, &page), session);
    if had_one_before {
        session.output.say(&format!(
            "this is a new page; the deleted page of this path stays deleted. To have that one instead, move this one \
             away and use `svc wiki restore -p {project} '{path}'`"
        ));
    }
    show(&page, session)
}

/// Whether a deleted page had the path of a new one: perhaps that one was meant. Where nobody can tell, none had.
async fn was_deleted(project: &str, path: &str, org: Org<'_>) -> bool {
    let deleted = org.deleted_wiki_pages(project).await.unwrap_or_default();
    deleted.iter().any(|page| page.path == path)
}
