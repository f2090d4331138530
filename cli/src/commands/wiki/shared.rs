//! What the commands of this noun share: how they name a thing and how they show it.

use crate::commands::in_project::{InProject, with_project};
use crate::editor::quoted;
use crate::failure::Failure;
use crate::output::{Column, Table};
use crate::reading::{Author, Text};
use crate::session::Session;
use crate::values::page_path;
use svc_api::wiki::WikiPage;
use svc_domain::ids::ProjectKey;

/// Which page: its project and its path.
#[derive(clap::Args)]
pub(crate) struct At {
    /// Path of the page, with names separated by /; the project's key may come first
    #[arg(value_name = "PAGE_PATH", num_args = 1..=2, required = true)]
    words: Vec<String>,
    #[command(flatten)]
    project: InProject,
}

impl At {
    /// Key of the project and path of the page.
    pub(super) async fn names(&self, session: &Session<'_>) -> Result<(String, String), Failure> {
        let (project, [path]) = located(&self.words, &self.project, session).await?;
        Ok((project, path))
    }
}

/// Key of the project and the paths of its pages. The key may be the first word, or come after -p. Where it is neither,
/// a path that begins with the key of another project means that one, or may: then the person has to say.
pub(super) async fn located<const COUNT: usize>(
    words: &[String],
    project: &InProject,
    session: &Session<'_>,
) -> Result<(String, [String; COUNT]), Failure> {
    let paths = |words: &[String]| -> Result<[String; COUNT], Failure> {
        let paths: Vec<_> = words.iter().map(|word| page(word)).collect::<Result<_, _>>()?;
        paths
            .try_into()
            .map_err(|_| Failure::rejected("an argument is missing").hint("see --help for the arguments"))
    };
    if words.len() == COUNT && !project.is_named() {
        let within: Option<Vec<_>> = words.iter().map(|word| with_key(word)).collect();
        if let Some((key, within)) = within.as_deref().and_then(of_one_project) {
            match session.project(None).await {
                Err(_) => return Ok((key.to_string(), paths(&within)?)),
                Ok(default) if is_project(&key, session).await? => {
                    return Err(undecided(&key, &default, words, &within));
                }
                Ok(_) => {}
            }
        }
    }
    let (project, words) = with_project(words, COUNT, project, session).await?;
    Ok((project, paths(words)?))
}

/// The key that a path may begin with, as keys are written, and the rest of the path.
fn with_key(path: &str) -> Option<(ProjectKey, String)> {
    let (first, rest) = path.split_once('/')?;
    let key: ProjectKey = first.parse().ok()?;
    (!rest.is_empty()).then(|| (key, rest.to_owned()))
}

/// The key that all paths begin with, and what follows it in each.
fn of_one_project(paths: &[(ProjectKey, String)]) -> Option<(ProjectKey, Vec<String>)> {
    let key = &paths.first()?.0;
    let same = paths.iter().all(|(other, _)| other == key);
    same.then(|| (key.clone(), paths.iter().map(|(_, rest)| rest.clone()).collect()))
}

async fn is_project(key: &ProjectKey, session: &Session<'_>) -> Result<bool, Failure> {
    let org = session.org_slug().await?;
    match session.org(&org).project(key.as_str()).await {
        Ok(_) => Ok(true),
        Err(error) if error.status() == Some(404) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

fn undecided(key: &ProjectKey, default: &ProjectKey, words: &[String], within: &[String]) -> Failure {
    let all = |paths: &[String]| paths.iter().map(|path| quoted(path)).collect::<Vec<_>>().join(" ");
    Failure::rejected(format!("{key} is a project, and the path begins with its key")).hint(format!(
        "name the project: -p {key} {} is in {key}, -p {default} {} in {default}",
        all(within),
        all(words)
    ))
}

/// The path of a page, checked.
fn page(text: &str) -> Result<String, Failure> {
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

/// Where a page is, in the instance.
pub(super) fn place_of(org: &str, project: &str, path: &str) -> String {
    format!("{org}/wiki/{project}/{path}")
}

/// The text of a page, as it is remembered.
pub(super) fn text<'a>(org: &str, project: &str, page: &'a WikiPage) -> Text<'a> {
    Text {
        what: format!("the page {:?}", page.path.as_str()),
        place: place_of(org, project, &page.path),
        version: page.version,
        body: &page.body,
        by: Author::Named(&page.updated_by.name),
        read_with: format!("svc wiki get -p {project} '{}'", page.path),
    }
}
