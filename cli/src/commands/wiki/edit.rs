//! `svc wiki edit`: opens a page in the person's editor, and saves it under the version that they saw.

use svc_api::wiki::PutPage;

use super::shared::{At, show, text};
use crate::editor;
use crate::failure::Failure;
use crate::reading::remember;
use crate::session::Session;

/// How the text is given without an editor.
const BY_COMMAND: &str = "write the page with `svc wiki put`";

/// Edit a page in your editor, or write a new one.
///
/// It opens $SVC_EDITOR, $VISUAL or $EDITOR. If someone else saves while you write, nothing is changed (exit code
/// 3) and your text is kept in a file. If you leave the file as it was, or empty it, nothing is changed either.
#[derive(clap::Args)]
#[command(
    override_usage = "svc wiki edit [OPTIONS] [PROJECT_KEY] <PAGE_PATH>",
    after_help = "\
Example:
  svc wiki edit -p PRJ Guides/Testing"
)]
pub(crate) struct Args {
    #[command(flatten)]
    at: At,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, (project, path)) = (session.org_slug().await?, args.at.names(session)?);
    let (project, path) = (project.as_str(), path.as_str());
    let org = session.org(&slug);
    let page = match org.wiki_page(project, path).await {
        Ok(page) => Some(page),
        Err(error) if error.status() == Some(404) => None,
        Err(error) => return Err(error.into()),
    };
    let before = page.as_ref().map_or("", |page| page.body.as_str());
    let Some(draft) = editor::edit(before, path, BY_COMMAND, session.output).await? else { return Ok(()) };
    let put = PutPage { version: page.map(|page| page.version), body: draft.text.clone() };
    let writing = async { Ok(org.put_wiki_page(project, path, &put).await?) };
    let page = draft.saved(writing).await?;
    remember(&text(&slug, project, &page), session);
    show(&page, session)
}
