//! Lists of items, answered from the project's feed.

use svc_domain::access::Capability;
use svc_domain::feed::{FilterContext, ListRequest, Sort};
use svc_domain::filter::{Condition, Filter, SprintChoice};
use svc_domain::ids::{ItemKey, ProjectKey};
use svc_domain::refusal::FieldErrors;
use svc_domain::workflow::Workflow;
use svc_storage::keys;

use super::load::group_of;
use super::sprints;
use crate::App;
use crate::entry::{Caller, Entry, enter_project};
use crate::error::Result;
use crate::search;

pub use super::feeds::{ListedItem, Rendered};

/// Longest free text of a list, in characters.
const MAX_WORDS: usize = 500;

/// Which items a caller wants to see.
#[derive(Clone, Debug, Default)]
pub struct ListItems {
    /// Terms of the filter language.
    pub filter: Option<String>,
    /// Words.
    pub q: Option<String>,
    /// Order.
    pub sort: Option<String>,
    /// One-based page.
    pub page: u32,
    /// Entries per page.
    pub page_size: u32,
}

/// A page of a list.
#[derive(Clone, Debug)]
pub struct Listed {
    /// How many items match, on all pages.
    pub total: u64,
    /// Those of the page.
    pub items: Vec<Rendered>,
}

/// One page of a project's items. `render` makes of each what the API shows: the same of the same entry,
/// whoever asks, because it is remembered.
///
/// # Errors
/// [`svc_domain::refusal::Refusal::Invalid`] for a filter or an order that is none.
pub async fn items(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    query: &ListItems,
    render: impl Fn(ListedItem<'_>) -> Rendered,
) -> Result<Listed> {
    let parsed = parse(query);
    let asks_current = parsed.as_ref().is_ok_and(|(filter, _)| names_current_sprint(filter));
    let wanted = |org| {
        let mut wanted = vec![keys::workflow(org, project)];
        wanted.extend(asks_current.then(|| keys::sprint_register(org, project)));
        wanted
    };
    let entry = enter_project(app, caller, project, Capability::SeeProject, wanted).await?;
    answer(app, entry, project, parsed?, query, render).await
}

/// One page of the items that belong to an item, by key; `page` is the page and its size.
///
/// # Errors
/// [`svc_domain::refusal::Refusal::NotFound`].
pub async fn children(
    app: &App,
    caller: Caller<'_>,
    parent: &ItemKey,
    (page, page_size): (u32, u32),
    render: impl Fn(ListedItem<'_>) -> Rendered,
) -> Result<Listed> {
    let wanted = |org| vec![keys::workflow(org, &parent.project), keys::item(org, parent)];
    let mut entry = enter_project(app, caller, &parent.project, Capability::SeeProject, wanted).await?;
    entry.take(1)?;
    let query = ListItems {
        filter: Some(format!("parent:{parent}")),
        sort: Some("key".to_owned()),
        page,
        page_size,
        q: None,
    };
    answer(app, entry, &parent.project, parse(&query)?, &query, render).await
}

/// Answers from the feed. The first row of the entry is the workflow; the second, where the filter names the
/// current sprint, tells which that are.
async fn answer(
    app: &App,
    mut entry: Entry,
    project: &ProjectKey,
    (filter, sort): (Filter, Sort),
    query: &ListItems,
    render: impl Fn(ListedItem<'_>) -> Rendered,
) -> Result<Listed> {
    let workflow: Workflow = entry.take(0)?.read()?;
    filter.check_states(&workflow)?;
    let current_sprints = sprints::current(entry.rows.get(1).and_then(Option::as_ref))?;
    let described = match query.q.as_deref() {
        Some(q) => search::described(app, entry.org_id(), project, q).await?,
        None => Vec::new(),
    };
    let feed = app.feeds.fresh(app, entry.org_id(), project).await?;
    let now = app.now();
    let claim_stale_after = app.settings.claims.stale_after();
    let context = FilterContext {
        me: Some(entry.actor().id),
        current_sprints: &current_sprints,
        workflow: &workflow,
        claim_stale_after,
        now,
    };
    let (page, page_size) = (query.page, query.page_size);
    let q = query.q.as_deref();
    let request = ListRequest { filter: &filter, context, q, described: &described, sort, page, page_size };
    let index = feed.read();
    let result = index.query(&request);
    let listed = result.entries.into_iter().map(|entry| ListedItem {
        entry,
        state_group: group_of(&workflow, &entry.state),
        claim_is_stale: entry.claim.as_ref().is_some_and(|c| c.is_stale(now, claim_stale_after)),
    });
    Ok(Listed { total: result.total, items: feed.render(&index, listed, render) })
}

/// Whether the filter needs to know which sprints are active.
pub(super) fn names_current_sprint(filter: &Filter) -> bool {
    let names = |condition: &Condition| matches!(condition, Condition::Sprint(choices) if choices.contains(&SprintChoice::Current));
    filter.terms().iter().any(|term| names(&term.condition))
}

pub(super) fn parse(query: &ListItems) -> Result<(Filter, Sort), FieldErrors> {
    let mut errors = FieldErrors::default();
    let filter = Filter::parse(query.filter.as_deref().unwrap_or_default()).unwrap_or_else(|wrong| {
        for error in wrong {
            errors.add("filter", error.to_string());
        }
        Filter::default()
    });
    let sort = match query.sort.as_deref().filter(|sort| !sort.is_empty()).map(str::parse) {
        Some(Ok(sort)) => sort,
        Some(Err(error)) => {
            let error: svc_domain::feed::UnknownSort = error;
            errors.add("sort", error.to_string());
            Sort::default()
        }
        None => Sort::default(),
    };
    if query.q.as_ref().is_some_and(|q| q.chars().count() > MAX_WORDS) {
        errors.add("q", format!("Give at most {MAX_WORDS} characters."));
    }
    errors.into_result()?;
    Ok((filter, sort))
}
