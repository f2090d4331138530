//! `svc wiki put`: writes the next version of a page under the version that the person read.

use std::path::PathBuf;

use svc_api::wiki::PutPage;
use svc_client::Org;

use super::edit;
use super::shared::{At, show, text};
use crate::commands::files::{check_not_emptied, given};
use crate::editor::quoted;
use crate::failure::Failure;
use crate::keeping;
use crate::output::is_for_agent;
use crate::reading::{Overwrite, admit, place, remember_written};
use crate::session::Session;

/// Write or create a page.
///
/// If someone else changed other lines since you read the page with `svc wiki get`, svc merges both changes. If they
/// changed the same lines, or you never read the page, nothing is changed (exit code 3). An empty file or stdin
/// changes nothing. At a terminal, it opens your editor if you give no text.
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
    /// File with the page's Markdown; - reads stdin, --body-file is the same
    #[arg(long, visible_alias = "body-file", value_name = "PATH")]
    file: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (file, given) = (args.file.clone(), given(args.body, args.file)?);
    let Some(mut body) = given else { return without_text(args.at, session).await };
    let (slug, (project, path)) = (session.org_slug().await?, args.at.names(session).await?);
    let (project, path) = (project.as_str(), path.as_str());
    let org = session.org(&slug);
    let version = match org.wiki_page(project, path).await {
        Ok(page) => {
            check_not_emptied(&page.body, &body, file.is_some())?;
            let now = text(&slug, project, &page);
            let at = place(&now.place, session);
            let kept = file.as_deref().and_then(|path| keeping::kept(path, &body, &at));
            let (version, admitted) = admit(&now, body, kept.as_ref(), &args.overwrite, session).await?;
            body = admitted;
            Some(version)
        }
        Err(error) if error.status() == Some(404) => None,
        Err(error) => return Err(error.into()),
    };
    let had_one_before = version.is_none() && was_deleted(project, path, org).await;
    let page = org.put_wiki_page(project, path, &PutPage { version, body }).await?;
    let saved = text(&slug, project, &page);
    remember_written(&saved, session);
    keeping::used_up(file.as_deref(), Some(&place(&saved.place, session)), session.output);
    if had_one_before {
        session.output.say(&format!(
            "this is a new page; the deleted page at this path stays deleted. To get that page back, move this one \
            away and use `svc wiki restore -p {project} '{path}'`"
        ));
    }
    show(&page, session)
}

/// Opens the editor where a person gave no text; elsewhere it names the ways to give one.
async fn without_text(at: At, session: &Session<'_>) -> Result<(), Failure> {
    if session.output.can_ask() && !is_for_agent() {
        return edit::run(edit::Args { at }, session).await;
    }
    let (project, path) = at.names(session).await?;
    Err(Failure::rejected("the page has no text").hint(format!(
        "give it with -m <TEXT> or --file <PATH>, pipe it to --file -, or write it with `svc wiki edit -p {project} {}`",
        quoted(&path)
    )))
}

/// Whether a deleted page had the path of a new one: perhaps that one was meant. Where that is unknown, none had.
async fn was_deleted(project: &str, path: &str, org: Org<'_>) -> bool {
    let deleted = org.deleted_wiki_pages(project).await.unwrap_or_default();
    deleted.iter().any(|page| page.path == path)
}
