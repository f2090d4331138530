//! `svc wiki edit`: opens a page in the person's editor, and saves it under the version that they saw.

use svc_api::wiki::{PutPage, WikiPage};
use svc_client::Org;

use super::shared::{At, place_of, show, text};
use crate::editor::{self, Purpose, quoted};
use crate::failure::Failure;
use crate::keeping::Origin;
use crate::reading::{origin, place, remember_written};
use crate::revising::{self, Revised};
use crate::session::Session;

/// How the text is given without an editor.
const BY_COMMAND: &str = "write the page with `svc wiki put`";

/// Edit a page in your editor, or write a new one.
///
/// It opens $SVC_EDITOR, $VISUAL or $EDITOR. If someone else changes other lines while you write, svc merges both
/// changes; at a terminal it asks first. If they change the same lines, nothing is changed (exit code 3) and your
/// text is kept in a file; continue with `svc wiki put --file`. If you leave the file unchanged or empty, nothing is
/// saved.
#[derive(clap::Args)]
#[command(
    override_usage = "svc wiki edit [OPTIONS] [PROJECT_KEY] <PAGE_PATH>",
    after_help = "\
Example:
  svc wiki edit -p PRJ Guides/Testing"
)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(super) at: At,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, (project, path)) = (session.org_slug().await?, args.at.names(session).await?);
    let (project, path) = (project.as_str(), path.as_str());
    let org = session.org(&slug);
    let page = match org.wiki_page(project, path).await {
        Ok(page) => Some(page),
        Err(error) if error.status() == Some(404) => {
            // Says so before a text is written for nothing.
            org.project(project).await?;
            None
        }
        Err(error) => return Err(error.into()),
    };
    let before = page.as_ref().map_or("", |page| page.body.as_str());
    let again = Some(format!("svc wiki put -p {project} {} --file", quoted(path)));
    let origin = match &page {
        Some(page) => origin(&text(&slug, project, page), session),
        None => Origin {
            place: place(&place_of(&slug, project, path), session),
            version: None,
            text: String::new(),
        },
    };
    let purpose = Purpose { name: path, instead: BY_COMMAND, again, begin: None, origin: Some(origin) };
    let Some(draft) = editor::edit(before, purpose, session.output).await? else { return Ok(()) };
    let page = revising::save(draft, page, &Page { org, project, path }, session.output).await?;
    remember_written(&text(&slug, project, &page), session);
    show(&page, session)
}

/// The page that is edited.
struct Page<'a> {
    org: Org<'a>,
    project: &'a str,
    path: &'a str,
}

impl Revised for Page<'_> {
    /// None of a page that is new.
    type Seen = Option<WikiPage>;
    type Saved = WikiPage;

    async fn read(&self) -> Result<Self::Seen, Failure> {
        Ok(Some(self.org.wiki_page(self.project, self.path).await?))
    }

    fn text(&self, seen: &Self::Seen) -> String {
        seen.as_ref().map(|page| page.body.clone()).unwrap_or_default()
    }

    fn version(&self, seen: &Self::Seen) -> u64 {
        seen.as_ref().map_or(0, |page| page.version)
    }

    async fn author(&self, seen: &Self::Seen) -> Option<String> {
        seen.as_ref().map(|page| page.updated_by.name.clone())
    }

    async fn write(&self, seen: &Self::Seen, text: &str) -> Result<WikiPage, Failure> {
        let put = PutPage { version: seen.as_ref().map(|page| page.version), body: text.to_owned() };
        let Self { org, project, path } = self;
        org.put_wiki_page(project, path, &put).await.map_err(|error| match error.status() {
            Some(404) if seen.is_some() => {
                Failure::not_found(format!("the page {path:?} was deleted or moved while you wrote")).hint(format!(
                    "`svc wiki restore -p {project} {}` brings a deleted page back; `svc wiki put` without that writes a new one",
                    quoted(path)
                ))
            }
            _ => error.into(),
        })
    }

    fn read_with(&self) -> String {
        format!("svc wiki get -p {} {}", self.project, quoted(self.path))
    }
}
