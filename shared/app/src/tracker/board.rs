//! A project as a board: its cards in the order given by hand, with the place in the change feed to follow them from.
//!
//! Protocol.
//! 1. The cursor is of the time before the feed is read: what is committed later comes as a change. A change that
//!    the board shows already may come once more, and is the same then.
//! 2. A board has [`MAX_CARDS`] cards at most. Of a larger project the closed items are left out, and of what is
//!    still too much, the last by rank; the count of items tells that there is more.

use std::sync::Arc;

use svc_domain::access::{Access, Capability};
use svc_domain::feed::{ListRequest, Sort};
use svc_domain::filter::Filter;
use svc_domain::ids::{ProjectKey, RunId};
use svc_domain::refusal::Refusal;
use svc_domain::workflow::Workflow;
use svc_storage::keys;

use super::Feed;
use super::changes;
use super::feeds::{ListedItem, Rendered};
use super::filter_facts::{Asker, FilterFacts};
use super::load::listed;
use super::workflow::VersionedWorkflow;
use crate::App;
use crate::entry::{Caller, enter_project_with};
use crate::error::Result;
use crate::factory::runs::{self, RunView};

/// Most cards of a board.
const MAX_CARDS: u32 = 10_000;

/// A project's board.
#[derive(Clone, Debug)]
pub struct Board {
    /// Where to follow the changes from.
    pub cursor: String,
    /// The columns and the moves between them.
    pub workflow: VersionedWorkflow,
    /// How many items the project has, on the board or not.
    pub item_count: u64,
    /// What the caller may do with its items.
    pub can: Can,
    /// The cards, by rank.
    pub cards: Vec<Rendered>,
    /// The live runs of the first of them that have one.
    pub runs: Vec<RunView>,
}

/// What a caller may do in a project, with their role, their credential and the project as they are now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Can {
    /// Create, change, move and claim items.
    pub edit: bool,
    /// Comment and react.
    pub comment: bool,
    /// Start and cancel runs.
    pub start: bool,
    /// Move items to other states.
    pub transition: bool,
    /// Delete items of others, too.
    pub delete: bool,
    /// Change workflow, members and settings.
    pub configure: bool,
}

impl Can {
    pub(super) fn of(access: &Access) -> Self {
        Self {
            edit: access.may(Capability::Work),
            comment: access.may(Capability::Comment),
            start: access.may(Capability::OperateFactory),
            transition: access.may(Capability::Work) && !access.is_agent(),
            delete: access.may(Capability::ConfigureProject),
            configure: access.may(Capability::ConfigureProject),
        }
    }
}

/// The board of a project. `render` makes of each card what the API shows: the same of the same entry, for every caller.
///
/// # Errors
/// [`svc_domain::refusal::Refusal::NotFound`].
pub async fn board(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    render: impl Fn(ListedItem<'_>) -> Rendered,
) -> Result<Board> {
    let wanted = |org| keys::workflow(org, project);
    let (entry, row) = enter_project_with(app, caller, project, Capability::SeeProject, wanted).await?;
    let row = row.ok_or(Refusal::NotFound)?;
    let workflow = app.parse_cache.workflows.read(&row)?;
    let cursor = changes::cursor_now(app, entry.org_id(), project).await?;
    let feed = app.feeds.fresh(app, entry.org_id(), project).await?;
    let can = Can::of(&entry.access);
    let (item_count, cards, live) = cards(app, &feed, &workflow, render);
    let runs = runs::of_project(app, &entry, live).await?;
    Ok(Board {
        cursor,
        workflow: VersionedWorkflow { version: row.version, workflow: Arc::unwrap_or_clone(workflow) },
        item_count,
        can,
        cards,
        runs,
    })
}

/// How many items there are, the cards of those that are shown, and their live runs.
fn cards(
    app: &App,
    feed: &Feed,
    workflow: &Workflow,
    render: impl Fn(ListedItem<'_>) -> Rendered,
) -> (u64, Vec<Rendered>, Vec<RunId>) {
    let index = feed.read();
    let item_count = index.len() as u64;
    let filter = if item_count > u64::from(MAX_CARDS) {
        Filter::parse("-state:closed")
    } else {
        Ok(Filter::default())
    };
    let facts = FilterFacts::default();
    let request = ListRequest {
        filter: &filter.unwrap_or_default(),
        context: facts.context(app, Asker::NOBODY, workflow),
        q: None,
        described: &[],
        sort: "rank".parse::<Sort>().unwrap_or_default(),
        page: 1,
        page_size: MAX_CARDS,
    };
    let found = index.query(&request).entries;
    let live: Vec<RunId> = found.iter().filter_map(|entry| entry.live_run).collect();
    let cards =
        feed.render(&index, found.into_iter().map(|entry| listed(app, &index, entry, workflow)), render);
    (item_count, cards, live)
}
