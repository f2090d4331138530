//! `search`.

use schemars::JsonSchema;
use serde::Deserialize;
use svc_api::search::{OrgSearchQuery, ProjectSearchQuery, SearchResult};
use svc_app::search;
use svc_domain::ids::ProjectKey;
use svc_http::ApiResult;
use svc_present::search::{read, view};

use super::named;
use crate::guest::Guest;
use crate::reply::{Reply, clean};

/// What to find.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Search {
    q: String,
    /// Project key; all projects if absent
    project: Option<String>,
    #[serde(default)]
    types: Vec<Kind>,
    /// Default 10, at most 50
    limit: Option<u32>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Kind {
    Items,
    Comments,
    Pages,
}

/// Answers where no number is asked for.
const ANSWERS: u32 = 10;

pub(crate) async fn search(guest: Guest, arguments: Search) -> ApiResult<Reply> {
    let all = [Kind::Items, Kind::Comments, Kind::Pages];
    let kinds = if arguments.types.is_empty() { &all[..] } else { &arguments.types };
    let name = |kind: &Kind| match kind {
        Kind::Items => "items",
        Kind::Comments => "comments",
        Kind::Pages => "pages",
    };
    let types = Some(kinds.iter().map(name).collect::<Vec<_>>().join(","));
    let (q, limit) = (Some(arguments.q), Some(arguments.limit.unwrap_or(ANSWERS)));
    let found = match &arguments.project {
        Some(project) => {
            let key: ProjectKey = named("project", project)?;
            let find = read::of_project(ProjectSearchQuery { types, q, limit, totals: None })?;
            search::in_project(&guest.app, guest.caller(), &key, &find).await?
        }
        None => {
            let find = read::of_org(OrgSearchQuery { types, q, limit, projects: None, totals: None })?;
            search::in_org(&guest.app, guest.caller(), &find).await?
        }
    };
    let lines: Vec<String> = view::results(found).results.iter().map(line).collect();
    if lines.is_empty() {
        return Ok(Reply::default().line("Nothing found."));
    }
    Ok(Reply::default()
        .line(format!("{} found", lines.len()))
        .theirs("texts by people of the projects", lines.join("\n")))
}

fn line(found: &SearchResult) -> String {
    let named = |name: &Option<String>| name.as_deref().map(clean).unwrap_or_default();
    let what = match found.kind.as_str() {
        "item" => format!("{} {} {}", named(&found.key), named(&found.item_type), named(&found.state)),
        "comment" => format!("comment {} on {}", named(&found.id), named(&found.item)),
        "page" => format!("page {} of {}", named(&found.path), named(&found.project)),
        other => other.to_owned(),
    };
    let snippet = found.snippet.as_deref().map(|text| format!(" | {}", clean(text))).unwrap_or_default();
    format!("{what}: {}{snippet}", clean(&found.title))
}
