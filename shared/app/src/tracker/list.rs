//! Lists of items, answered from the project's feed.

use std::collections::HashMap;
use std::sync::Arc;

use svc_domain::access::Capability;
use svc_domain::feed::{ListRequest, Sort};
use svc_domain::filter::Filter;
use svc_domain::ids::{ItemKey, ProjectKey, RunId};
use svc_domain::refusal::FieldErrors;
use svc_domain::sprint::Register;
use svc_domain::visibility::Viewer;
use svc_domain::workflow::Workflow;
use svc_storage::{RowOf, keys};

use super::board::Can;
use super::filter_facts::{Asker, FilterFacts, asks_for_current_sprints};
use super::filter_words::Meant;
use super::gone::item_row;
use super::load::listed;
use super::{milestones, sprints};
use crate::App;
use crate::entry::{Caller, Entry, enter_project_with};
use crate::error::Result;
use crate::factory::runs::{self, RunView};

pub use super::feeds::{ListedItem, Rendered};

/// Longest free text of a list, in characters.
const MAX_WORDS: usize = 500;
/// Most items of a whole list.
const WHOLE: u32 = 10_000;

/// Which items a caller wants to see.
#[derive(Clone, Debug, Default)]
pub struct ListItems {
    /// Terms of the filter language.
    pub filter: Option<String>,
    /// Words.
    pub q: Option<String>,
    /// Order.
    pub sort: Option<String>,
    /// IANA name of the time zone whose days the filter means; that of the account where absent.
    pub time_zone: Option<String>,
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
    /// The time zone whose days the filter means, where it names days that depend on it.
    pub time_zone: Option<String>,
}

/// A page of a project's items, with what a client shows beside them.
#[derive(Clone, Debug)]
pub struct ListedItems {
    /// The page.
    pub list: Listed,
    /// What the caller may do with the project's items.
    pub can: Can,
    /// The live runs of the items of the page.
    pub runs: Vec<RunView>,
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
) -> Result<ListedItems> {
    let Asked { entry, workflow, register, terms: (filter, sort) } =
        enter(app, caller, project, query).await?;
    let parsed = (Meant::of(app, &entry, filter, query.time_zone.as_deref()).await?, sort);
    let known = (&*workflow, register.as_ref());
    let (list, live) = answer(app, &entry, known, project, parsed, query, render).await?;
    let runs = runs::of_project(app, &entry, live).await?;
    Ok(ListedItems { list, can: Can::of(&entry.access), runs })
}

/// Enters the project with the rows that [`answer`] wants, and reads what is asked.
/// A list that was asked for, and what its terms are read by.
struct Asked {
    entry: Entry,
    workflow: Arc<Workflow>,
    /// The row of the project's sprints, where a term asks for the current ones.
    register: Option<RowOf<Register>>,
    terms: (Filter, Sort),
}

async fn enter(app: &App, caller: Caller<'_>, project: &ProjectKey, query: &ListItems) -> Result<Asked> {
    let parsed = parse(query);
    let asks_current = parsed.as_ref().is_ok_and(|(filter, _)| asks_for_current_sprints(filter));
    let wanted =
        |org| (keys::workflow(org, project), asks_current.then(|| keys::sprint_register(org, project)));
    let (entry, (workflow, register)) =
        enter_project_with(app, caller, project, Capability::SeeProject, wanted).await?;
    let terms = parsed?;
    let workflow = app.parse_cache.workflow(workflow)?;
    Ok(Asked { entry, workflow, register, terms })
}

/// All items of a project that match, at most [`WHOLE`], and the names of the project's sprints and milestones by id.
///
/// # Errors
/// As [`items`].
pub async fn whole(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    query: ListItems,
    render: impl Fn(&ProjectKey, ListedItem<'_>) -> Rendered,
) -> Result<(Vec<Rendered>, HashMap<String, String>)> {
    let query = ListItems { page: 1, page_size: WHOLE, ..query };
    let Asked { entry, workflow, register, terms: (filter, sort) } =
        enter(app, caller, project, &query).await?;
    let org = entry.org_id();
    let parsed = (Meant::of(app, &entry, filter, query.time_zone.as_deref()).await?, sort);
    let render = |item: ListedItem<'_>| render(project, item);
    let known = (&*workflow, register.as_ref());
    let (found, _) = answer(app, &entry, known, project, parsed, &query, render).await?;
    let sprints = sprints::all(app, org, project).await?.into_iter();
    let sprints = sprints.map(|(sprint, _)| (sprint.id.to_string(), sprint.name));
    let milestones = milestones::of_project(app, org, project).await?.0.into_iter();
    Ok((found.items, sprints.chain(milestones.map(|of| (of.id.to_string(), of.name))).collect()))
}

/// One page of the items that belong to an item, by key; `page` is the page and its size.
///
/// # Errors
/// [`svc_domain::refusal::Refusal::NotFound`], [`svc_domain::refusal::Refusal::ItemDeleted`].
pub async fn children(
    app: &App,
    caller: Caller<'_>,
    parent: &ItemKey,
    page: (u32, u32),
    render: impl Fn(ListedItem<'_>) -> Rendered,
) -> Result<Listed> {
    let wanted = |org| (keys::workflow(org, &parent.project), keys::item(org, parent));
    let (entry, (workflow, item)) =
        enter_project_with(app, caller, &parent.project, Capability::SeeProject, wanted).await?;
    item_row(app, &entry, item, parent).await?;
    let workflow = app.parse_cache.workflow(workflow)?;
    children_of(app, &entry, &workflow, parent, page, render).await
}

/// As [`children`], by who entered the item's project without a row of its sprints.
pub(crate) async fn children_of(
    app: &App,
    entry: &Entry,
    workflow: &Workflow,
    parent: &ItemKey,
    (page, page_size): (u32, u32),
    render: impl Fn(ListedItem<'_>) -> Rendered,
) -> Result<Listed> {
    let query = ListItems {
        filter: Some(format!("parent:{parent}")),
        sort: Some("key".to_owned()),
        page,
        page_size,
        ..ListItems::default()
    };
    let (filter, sort) = parse(&query)?;
    let parsed = (Meant::plain(filter), sort);
    Ok(answer(app, entry, (workflow, None), &parent.project, parsed, &query, render).await?.0)
}

/// Answers from the feed, with the live runs of the page. The second row of the entry, where the filter names the
/// current sprint, tells which that are.
async fn answer(
    app: &App,
    entry: &Entry,
    (workflow, register): (&Workflow, Option<&RowOf<Register>>),
    project: &ProjectKey,
    (Meant { filter, zone, told }, sort): (Meant, Sort),
    query: &ListItems,
    render: impl Fn(ListedItem<'_>) -> Rendered,
) -> Result<(Listed, Vec<RunId>)> {
    filter.check_states(workflow)?;
    let (org, me) = (entry.org_id(), entry.actor().id);
    let factory = Viewer::of(&entry.access).sees_agents_work();
    let facts = FilterFacts::of(app, (org, me), project, (&filter, query.q.as_deref()), register).await?;
    let feed = app.feeds.fresh(app, org, project).await?;
    let request = ListRequest {
        filter: &filter,
        context: facts.context(app, Asker { me: Some(me), factory, zone: &zone }, workflow),
        q: query.q.as_deref(),
        described: &facts.described,
        sort,
        page: query.page,
        page_size: query.page_size,
    };
    let index = feed.read();
    let result = index.query(&request);
    let live = result.entries.iter().filter_map(|entry| entry.live_run).collect();
    let listed = result.entries.into_iter().map(|entry| listed(app, &index, entry, workflow));
    let items = feed.render(&index, listed, render);
    Ok((Listed { total: result.total, items, time_zone: told }, live))
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
