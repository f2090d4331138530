//! What the commands of this noun share: how they name a thing and how they show it.

use crate::commands::in_project::{InProject, with_project};
use crate::failure::Failure;
use crate::output::{Column, Table};
use crate::reading::Text;
use crate::session::Session;
use crate::values::page_path;
use svc_api::wiki::WikiPage;

/// Which page: its project and its path.
#[derive(clap::Args)]
pub(super) struct At {
    /// Names from the root to the page, separated by /; a key before them names the project, too
    #[arg(value_name = "PAGE_PATH", num_args = 1..=2, required = true)]
    words: Vec<String>,
    #[command(flatten)]
    project: InProject,
}

impl At {
    /// Key of the project and path of the page.
    pub(super) fn names(&self, session: &Session<'_>) -> Result<(String, String), Failure> {
        let (project, path) = with_project(&self.words, 1, &self.project, session)?;
        Ok((project, page(&path[0])?))
    }
}

/// The path of a page, checked.
pub(super) fn page(text: &str) -> Result<String, Failure> {
    let path = page_path(text)
        .map_err(|wrong| Failure::rejected(format!("{text:?} is not a page path: {wrong}")))?;
    Ok(path.into())
}

pub(super) fn show(page: &WikiPage, session: &Session<'_>) -> Result<(), Failure> {
    if session.output.json { session.output.json(page) } else { session.output.table(&table(page)) }
}

/// A page that was written.
pub(super) fn table(page: &WikiPage) -> Table {
    let mut table = Table::new([Column::fixed("VERSION"), Column::flexible("PATH")]);
    table.row([page.version.to_string().into(), page.path.as_str().into()]);
    table
}

/// The text of a page, as it is remembered.
pub(super) fn text<'a>(org: &str, project: &str, page: &'a WikiPage) -> Text<'a> {
    Text {
        what: format!("the page {:?}", page.path.as_str()),
        place: format!("{org}/wiki/{project}/{}", page.path),
        version: page.version,
        body: &page.body,
        read_with: format!("svc wiki get -p {project} '{}'", page.path),
    }
}
