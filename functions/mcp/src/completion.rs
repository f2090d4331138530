//! Completion of what people type for prompts and addresses: keys of items and projects, paths of pages, ids of
//! runs. Shows nothing that the caller could not list.

use rmcp::ErrorData;
use rmcp::model::{CompleteRequestParams, CompleteResult, CompletionInfo};
use svc_api::search::ProjectSearchQuery;
use svc_app::factory::runs::{self, RunFilter, Slice};
use svc_app::tracker::projects;
use svc_app::{Result, search, wiki};
use svc_domain::ids::ProjectKey;
use svc_present::search::{read, view};

use crate::failure::told;
use crate::guest::Guest;

/// Most values of an answer.
const MOST: usize = 20;

/// What a value may become.
///
/// # Errors
/// When the store does not answer.
pub(crate) async fn complete(
    guest: &Guest,
    request: CompleteRequestParams,
) -> std::result::Result<CompleteResult, ErrorData> {
    let typed = request.argument.value;
    let found = match request.argument.name.as_str() {
        "key" => keys(guest, &typed).await,
        "project" => project_keys(guest, &typed).await,
        "id" => run_ids(guest, &typed).await,
        "path" => {
            let context = request.context.and_then(|context| context.arguments).unwrap_or_default();
            paths(guest, context.get("project").map(String::as_str), &typed).await
        }
        _ => Ok(Vec::new()),
    };
    let mut values = found.map_err(|error| {
        let error = svc_http::ApiError::from(error);
        ErrorData::internal_error(told(error.problem()), None)
    })?;
    let (total, has_more) = (values.len(), values.len() > MOST);
    values.truncate(MOST);
    let total = u32::try_from(total).ok();
    let info = CompletionInfo::with_pagination(values, total, has_more);
    Ok(CompleteResult::new(info.unwrap_or_default()))
}

/// Keys of projects; with one of them typed whole, keys of its items.
async fn keys(guest: &Guest, typed: &str) -> Result<Vec<String>> {
    let typed = typed.trim().to_uppercase();
    let Some((project, _)) = typed.rsplit_once('-') else {
        let projects = project_keys(guest, &typed).await?;
        return Ok(projects.into_iter().map(|key| format!("{key}-")).collect());
    };
    let Ok(project) = project.parse::<ProjectKey>() else { return Ok(Vec::new()) };
    let q = Some(typed.trim_end_matches('-').to_owned()).filter(|q| *q != project.to_string());
    let query = ProjectSearchQuery {
        types: Some("items".into()),
        q: Some(q.unwrap_or_default()),
        limit: Some(50),
        totals: None,
    };
    let found = search::in_project(&guest.app, guest.caller(), &project, &read::of_project(query)?).await;
    let answers = quiet(found.map(|found| found.answers))?;
    let found = search::Found { answers, ..search::Found::default() };
    let keys = view::results(found).results.into_iter().filter_map(|found| found.key);
    Ok(keys.filter(|key| key.starts_with(&typed)).collect())
}

async fn project_keys(guest: &Guest, typed: &str) -> Result<Vec<String>> {
    let typed = typed.to_uppercase();
    let projects = projects::list(&guest.app, guest.caller(), false).await?;
    let keys = projects.into_iter().map(|seen| String::from(seen.project.key));
    Ok(keys.filter(|key| key.starts_with(&typed)).collect())
}

async fn run_ids(guest: &Guest, typed: &str) -> Result<Vec<String>> {
    let slice = Slice { offset: 0, limit: 50 };
    let (found, _) = runs::list(&guest.app, guest.caller(), &RunFilter::default(), slice).await?;
    let ids = found.into_iter().map(|seen| seen.run.id.to_string());
    Ok(ids.filter(|id| id.starts_with(typed)).collect())
}

async fn paths(guest: &Guest, project: Option<&str>, typed: &str) -> Result<Vec<String>> {
    let Some(Ok(project)) = project.map(str::parse::<ProjectKey>) else { return Ok(Vec::new()) };
    let typed = typed.to_lowercase();
    let pages = quiet(wiki::tree(&guest.app, guest.caller(), &project).await)?;
    let paths = pages.into_iter().map(|page| page.path.to_string());
    Ok(paths.filter(|path| path.to_lowercase().starts_with(&typed)).collect())
}

/// What was found; nothing in a place that the caller cannot see.
fn quiet<T>(found: Result<Vec<T>>) -> Result<Vec<T>> {
    match found {
        Err(svc_app::Error::Refused(_)) => Ok(Vec::new()),
        found => found,
    }
}
