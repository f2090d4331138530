//! What is seen of one sprint: itself, its taskboard, its burndown. Items come from the project's feed.

use svc_domain::access::Capability;
use svc_domain::feed::FeedEntry;
use svc_domain::ids::SprintId;
use svc_domain::sprint::{self, BurndownPoint, Column, Fact, Work, columns};
use svc_domain::workflow::State;
use svc_storage::{Query, Range, Row, StorageError, keys};

use super::load::{SeenSprint, find};
use crate::App;
use crate::entry::Caller;
use crate::error::Result;
use crate::tracker::list::ListedItem;
use crate::tracker::load::listed;

/// A sprint as a taskboard. `T` is what is shown of an item.
#[derive(Clone, Debug, PartialEq)]
pub struct Board<T> {
    /// The sprint.
    pub sprint: SeenSprint,
    /// Its columns: a workflow state, the work in it, and its items, each with its subtasks.
    pub columns: Vec<(State, Work, Vec<BoardItem<T>>)>,
}

/// An item on a taskboard.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardItem<T> {
    /// The item.
    pub item: T,
    /// Its subtasks in the sprint.
    pub subtasks: Vec<T>,
}

/// How the work of a sprint went, day by day.
#[derive(Clone, Debug, PartialEq)]
pub struct SprintBurndown {
    /// The sprint.
    pub sprint: SeenSprint,
    /// Its points; none while it is planned.
    pub points: Vec<BurndownPoint>,
}

/// A sprint.
///
/// # Errors
/// [`svc_domain::refusal::Refusal::NotFound`].
pub async fn get(app: &App, caller: Caller<'_>, id: SprintId) -> Result<SeenSprint> {
    find(app, caller, id, Capability::SeeProject).await?.seen(app).await
}

/// A sprint's items by workflow state. `show` makes of each what the API shows.
///
/// # Errors
/// [`svc_domain::refusal::Refusal::NotFound`].
pub async fn taskboard<T>(
    app: &App,
    caller: Caller<'_>,
    id: SprintId,
    show: impl Fn(&SeenSprint, ListedItem<'_>) -> T,
) -> Result<Board<T>> {
    let found = find(app, caller, id, Capability::SeeProject).await?;
    let (org, workflow) = (found.entry.org_id(), found.workflow.clone());
    let sprint = found.seen(app).await?;
    let feed = app.feeds.fresh(app, org, &sprint.project).await?;
    let index = feed.read();
    let show = |entry: &FeedEntry| show(&sprint, listed(app, &index, entry, &workflow));
    let column = |column: Column<'_>| {
        let card = |card: sprint::Card<'_>| BoardItem {
            item: show(card.item),
            subtasks: card.subtasks.into_iter().map(show).collect(),
        };
        (column.state, column.work, column.cards.into_iter().map(card).collect())
    };
    let items = index.of_sprint(&id.to_string());
    let columns = columns(&items, &workflow).into_iter().map(column).collect();
    Ok(Board { columns, sprint })
}

/// A sprint's burndown, from what was recorded when its items changed.
///
/// # Errors
/// [`svc_domain::refusal::Refusal::NotFound`].
pub async fn burndown(app: &App, caller: Caller<'_>, id: SprintId) -> Result<SprintBurndown> {
    let found = find(app, caller, id, Capability::SeeProject).await?;
    let (org, workflow) = (found.entry.org_id(), found.workflow.clone());
    let sprint = found.seen(app).await?;
    let Some(started) = sprint.sprint.started_at else {
        return Ok(SprintBurndown { sprint, points: Vec::new() });
    };
    let query = Query::new(keys::facts_pk(org, &id.to_string()), Range::All, 1_000);
    let rows = app.table.query_all(query).await?;
    let mut facts: Vec<Fact> = rows.iter().map(Row::read).collect::<Result<_, StorageError>>()?;
    let ended = sprint.sprint.completion.as_ref().map(|completion| completion.at);
    // What left the sprint because it ended was in it at its end.
    facts.retain(|fact| ended.is_none_or(|ended| fact.at < ended));
    let until = ended.unwrap_or_else(|| app.now());
    Ok(SprintBurndown { points: sprint::burndown(&facts, &workflow, started, until), sprint })
}
