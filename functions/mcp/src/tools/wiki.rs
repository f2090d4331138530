//! `get_wiki_page` and `put_wiki_page`.

use schemars::JsonSchema;
use serde::Deserialize;
use svc_app::wiki::{self, PutPage};
use svc_domain::ids::ProjectKey;
use svc_http::ApiResult;
use svc_present::wiki::view;

use super::named;
use crate::authors::Authors;
use crate::guest::Guest;
use crate::reply::{Reply, clean};
use crate::unseen::{keep, tell_unseen};

/// Which page.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Get {
    /// Project key
    project: String,
    path: Option<String>,
    /// Of the last reply
    #[serde(rename = "cursor")]
    _cursor: Option<String>,
}

pub(crate) async fn get(guest: Guest, arguments: Get) -> ApiResult<Reply> {
    let project: ProjectKey = named("project", &arguments.project)?;
    let Some(path) = &arguments.path else { return tree(&guest, &project).await };
    let page = view::page(wiki::get(&guest.app, guest.caller(), &project, path).await?);
    let authors = Authors::of(&guest, std::iter::once(&page.updated_by)).await?;
    let may = if page.can_edit { "" } else { ", read-only for you" };
    let head = format!("Page \"{}\" of {project}, version {}{may}", clean(&page.path), page.version);
    let what =
        format!("wiki page, last written by {} at {}", authors.byline(&page.updated_by), page.updated_at);
    let reply = Reply::default().line(head);
    Ok(tell_unseen(reply, &page.body, "put_wiki_page").theirs(what, page.body))
}

async fn tree(guest: &Guest, project: &ProjectKey) -> ApiResult<Reply> {
    let pages = wiki::tree(&guest.app, guest.caller(), project).await?;
    let lines: Vec<String> = pages.into_iter().map(view::entry).map(|page| clean(&page.path)).collect();
    if lines.is_empty() {
        return Ok(Reply::default().line(format!("{project} has no wiki pages that you can see.")));
    }
    Ok(Reply::default()
        .line(format!("{} pages", lines.len()))
        .theirs("paths of wiki pages", lines.join("\n")))
}

/// The new text of a page.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Put {
    /// Project key
    project: String,
    path: String,
    /// Markdown, whole
    body: String,
    /// The version you read
    version: Option<u64>,
}

pub(crate) async fn put(guest: Guest, arguments: Put) -> ApiResult<Reply> {
    let project: ProjectKey = named("project", &arguments.project)?;
    let (body, told) = match arguments.version {
        Some(_) => {
            let read = wiki::get(&guest.app, guest.caller(), &project, &arguments.path).await?;
            let kept = keep(arguments.body, &view::page(read).body);
            (kept.text, kept.told)
        }
        None => (arguments.body, None),
    };
    let put = PutPage { version: arguments.version, body };
    let page = wiki::put(&guest.app, guest.caller(), &project, &arguments.path, &put).await?;
    let page = view::page(page);
    let reply =
        Reply::default().line(format!("Wrote page \"{}\": version {}", clean(&page.path), page.version));
    Ok(told.into_iter().fold(reply, Reply::line))
}
