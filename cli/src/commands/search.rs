//! `svc search`.

use svc_api::search::{OrgSearchQuery, ProjectSearchQuery, SearchResult, SearchResults, SearchTotal};
use svc_domain::ids::ProjectKey;

use crate::failure::Failure;
use crate::keys::project_key;
use crate::output::Table;
use crate::session::Session;

/// Search a project, or the whole organization
///
/// The best matches come first: keys, then titles, then texts.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc search 'time out' -p PRJ
  svc search '\"connection reset\"' --types comments,pages
  svc search PRJ-12")]
pub(crate) struct Args {
    /// Words, a phrase in quotes, or the key of an item
    #[arg(value_name = "WORDS", required = true)]
    words: Vec<String>,
    /// Only in this project
    #[arg(short, long, value_name = "PROJECT_KEY", value_parser = project_key)]
    project: Option<ProjectKey>,
    /// Types of results, separated by commas: items, comments, pages and, without -p, projects and people
    #[arg(long, value_name = "LIST")]
    types: Option<String>,
    /// Print at most this many, up to 50
    #[arg(short = 'L', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
}

pub(crate) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let Args { words, project, types, limit } = args;
    let (slug, q) = (session.org_slug().await?, Some(words.join(" ")));
    let org = session.org(&slug);
    let totals = Some(true);
    let found = match project {
        Some(project) => {
            org.search_project(project.as_str(), &ProjectSearchQuery { types, q, limit, totals }).await?
        }
        None => org.search(&OrgSearchQuery { types, q, projects: None, limit, totals }).await?,
    };
    if session.output.json {
        return session.output.json(&found);
    }
    if found.results.is_empty() {
        session.output.say("No results.");
        return Ok(());
    }
    let table = Table::of(&found.results)
        .fixed("TYPE", |result| result.kind.as_str())
        .fixed("WHERE", place)
        .flexible("TITLE", |result| result.title.as_str())
        .flexible("TEXT", |result| result.snippet.as_deref().unwrap_or_default())
        .end();
    session.output.table(&table)?;
    if let Some(more) = more(&found) {
        session.output.say(&more);
    }
    Ok(())
}

/// How many results there are of each type, where not all are shown.
fn more(SearchResults { results, totals }: &SearchResults) -> Option<String> {
    let totals = (*totals)?;
    let by_type = [
        (totals.items, "item", "items"),
        (totals.comments, "comment", "comments"),
        (totals.pages, "page", "pages"),
        (totals.projects, "project", "projects"),
        (totals.people, "person", "people"),
    ];
    let found = by_type.iter().filter_map(|(total, one, many)| Some((total.as_ref()?, one, many)));
    let all: u64 = found.clone().map(|(total, ..)| total.count).sum();
    if all <= results.len() as u64 && !found.clone().any(|(total, ..)| total.at_least) {
        return None;
    }
    let told =
        found.filter(|(total, ..)| total.count > 0).map(|(SearchTotal { count, at_least }, one, many)| {
            let least = if *at_least { "at least " } else { "" };
            format!("{least}{count} {}", if *count == 1 { one } else { many })
        });
    let told = told.collect::<Vec<_>>().join(", ");
    Some(format!("The best {} of {told}; --limit shows up to 50, --types single types.", results.len()))
}

/// What to give the next command: the key of an item or project, a page's project and path. A person goes by the name,
/// which is the title.
fn place(result: &SearchResult) -> String {
    let project = result.project.as_deref().unwrap_or_default();
    match (&result.key, &result.item, &result.path) {
        (Some(key), ..) | (None, Some(key), _) => key.clone(),
        (None, None, Some(path)) => format!("{project} {path}"),
        (None, None, None) => "-".to_owned(),
    }
}
