//! Moving an item into a sprint or out of it, to another place in the order given by hand, and to another state, with
//! fields that change with it: all in one commit.
//!
//! An item takes the subtasks with it that were where it was. A commit has room for a few of them; of many,
//! the rest follows at once in commits of their own, and a message sees to it that none is left behind when
//! that is cut off. A subtask that somebody planned after its item was moved stays where they put it.

mod ordering;

use jiff::Timestamp;
use svc_domain::access::Capability;
use svc_domain::event::ItemEvent;
use svc_domain::feed::FeedEntry;
use svc_domain::ids::{Actor, ItemKey, OrgId, ProjectKey, SprintId};
use svc_domain::item::{FieldChange, Item, ItemType};
use svc_domain::project::{Action, HistoryEntry};
use svc_domain::refusal::FieldErrors;
use svc_domain::sprint::Sprint;
use svc_storage::{Limits, Op, Query, RowOf, keys};

use super::claims::{refuse_agents, to_state};
use super::items::{FieldRows, Fields, UpdateItem};
use super::load::{ItemDetails, Loaded, load_with};
use super::{Feed, ItemChange, sprints};
use crate::App;
use crate::entry::Caller;
use crate::error::Result;
use crate::messages::FollowItem;
use crate::transaction::Transaction;
use crate::wanted;

/// Subtasks that one commit takes along: each writes six rows at most.
const BATCH: usize = 14;

/// A wanted move; `None` leaves what there is.
#[derive(Clone, Debug)]
pub struct MoveItem {
    /// The version last read.
    pub version: u64,
    /// The sprint; `Some(None)` is the backlog.
    pub sprint: Option<Option<SprintId>>,
    /// The item to come after; `Some(None)` is the first place.
    pub after: Option<Option<String>>,
    /// The workflow state.
    pub state: Option<String>,
    /// Fields that change with the move.
    pub fields: Option<UpdateItem>,
}

/// Moves an item. What is so already is no change.
///
/// # Errors
/// [`Refusal::StaleVersion`]; [`Refusal::MoveNotPermitted`]; [`Refusal::Conflict`] for a completed sprint; every field
/// that is not acceptable.
pub async fn item(app: &App, caller: Caller<'_>, key: &ItemKey, wanted: &MoveItem) -> Result<ItemDetails> {
    let (details, rest) = app.decide(|| move_once(app, caller, key, wanted)).await?;
    if let Some(following) = rest
        && let Err(error) = follow(app, &following).await
    {
        tracing::warn!(%error, "subtasks are left behind; a worker moves them");
    }
    Ok(details)
}

async fn move_once(
    app: &App,
    caller: Caller<'_>,
    key: &ItemKey,
    wanted: &MoveItem,
) -> Result<(ItemDetails, Option<FollowItem>)> {
    let target = wanted.sprint.flatten();
    let fields = wanted.fields.as_ref().map(Fields::of);
    let project = &key.project;
    let keys = |org| {
        let sprint = target.map(|sprint| keys::sprint(org, project, sprint));
        (sprint, fields.as_ref().map(|fields| fields.keys(org, project)).unwrap_or_default())
    };
    let (loaded, (sprint, of_fields)) = load_with(app, caller, key, Capability::Work, keys).await?;
    if wanted.state.is_some() {
        refuse_agents(&loaded)?;
    }
    loaded.require_version(wanted.version)?;
    let mut errors = FieldErrors::default();
    if target.is_some() && sprint.is_none() {
        errors.add("sprint", "There is no such sprint in the project.");
    }
    let feed = app.feeds.fresh(app, loaded.entry.org_id(), &key.project).await?;
    let rank = ordering::new_place(&feed, &loaded.item, wanted, &mut errors);
    let mut change = loaded.change();
    let checks = change_state_and_fields(app, &loaded, wanted, &of_fields, &mut change, errors).await?;
    let (changed, mut rest) = (checks.is_some(), None);
    let mut transaction = Transaction::of(app, &loaded.entry).with(checks.unwrap_or_default());
    let replans = wanted.sprint.is_some_and(|to| to.map(|id| id.to_string()) != loaded.item.sprint);
    if replans {
        rest = Step::of(&loaded, sprint.as_ref())?
            .replan(app, key, &feed, &mut change, &mut transaction)
            .await?;
    }
    match rank? {
        Some(to) => {
            ordering::make_room(app, loaded.entry.org_id(), key, &to, &mut transaction).await?;
            change.item.rank = Some(to.rank);
            let field = FieldChange { field: "rank", from: None, to: Some(to.place) };
            change.tell(ItemEvent::Changed(key.clone(), field));
        }
        None if !replans && !changed => return Ok((loaded.unchanged(app), None)),
        None => {}
    }
    let item = transaction.save(change);
    app.commit(transaction).await?;
    Ok((ItemDetails::of(app, item, &loaded.workflow), rest))
}

/// Moves the item of a change to the wanted state and changes the wanted fields, with `rows` what
/// [`Fields::keys`] found. Answers what the commit must demand, or nothing where all is so already.
async fn change_state_and_fields(
    app: &App,
    loaded: &Loaded,
    wanted: &MoveItem,
    rows: &FieldRows,
    change: &mut ItemChange,
    errors: FieldErrors,
) -> Result<Option<Vec<Op>>> {
    let moved = match &wanted.state {
        Some(state) => to_state(loaded, state, app.now(), change)?,
        None => false,
    };
    let Some(update) = &wanted.fields else {
        errors.into_result()?;
        return Ok(moved.then(Vec::new));
    };
    let checks = Fields::of(update).apply(app, &loaded.entry, rows, change, errors).await?;
    Ok(checks.or_else(|| moved.then(Vec::new)))
}

/// Where items go, and who moves them.
struct Step {
    org: OrgId,
    by: Actor,
    /// `None` for the backlog.
    to: Option<Sprint>,
    /// Id of the sprint that they come from.
    from: Option<String>,
    /// What must hold when they are moved.
    checks: Vec<Op>,
}

impl Step {
    /// Where an item goes: to the sprint of this row, or to the backlog.
    fn of(loaded: &Loaded, to: Option<&RowOf<Sprint>>) -> Result<Self> {
        let (org, by) = (loaded.entry.org_id(), loaded.entry.actor().clone());
        let mut step = Self { org, by, to: None, from: loaded.item.sprint.clone(), checks: vec![] };
        step.go_to(to)?;
        Ok(step)
    }

    /// Plans the item where this goes, and its first subtasks in the transaction; answers what has to follow it.
    async fn replan(
        mut self,
        app: &App,
        key: &ItemKey,
        feed: &Feed,
        change: &mut ItemChange,
        transaction: &mut Transaction,
    ) -> Result<Option<FollowItem>> {
        let from = self.name_of(app, &key.project, self.from.as_deref()).await?;
        self.plan(change, from.as_deref());
        let left_behind: Vec<u64> =
            self.left_behind(feed, key).into_iter().map(|(number, _)| number).collect();
        let taken = self.take_along(app, &key.project, &left_behind, transaction).await?;
        transaction.write(std::mem::take(&mut self.checks));
        if taken == left_behind.len() {
            return Ok(None);
        }
        transaction.tell(ItemEvent::SubtasksLeftBehind(key.clone(), self.from.clone()));
        let at = Some(app.now());
        Ok(Some(FollowItem { org: self.org, item: key.clone(), from: self.from, by: self.by, at }))
    }

    fn go_to(&mut self, row: Option<&RowOf<Sprint>>) -> Result<()> {
        if let Some(row) = row {
            let (sprint, check) = sprints::open(row)?;
            self.to = Some(sprint);
            self.checks.push(check);
        }
        Ok(())
    }

    /// The name of a sprint, for the history.
    async fn name_of(&self, app: &App, project: &ProjectKey, id: Option<&str>) -> Result<Option<String>> {
        match id {
            Some(id) => Ok(Some(sprints::name_of(app, self.org, project, id).await?)),
            None => Ok(None),
        }
    }

    /// Plans an item where this goes. `from` is the name of the sprint that it leaves.
    fn plan(&self, change: &mut ItemChange, from: Option<&str>) {
        change.item.sprint = self.to.as_ref().map(|sprint| sprint.id.to_string());
        let to = self.to.as_ref().map(|sprint| sprint.name.clone());
        let field = FieldChange { field: "sprint", from: from.map(str::to_owned), to };
        change.tell_as(self.by.clone(), ItemEvent::Changed(change.item.key.clone(), field));
    }

    /// Numbers of the subtasks of an item that are still where it was, and when they last changed.
    fn left_behind(&self, feed: &Feed, item: &ItemKey) -> Vec<(u64, Timestamp)> {
        let index = feed.read();
        let children = index.children(item).into_iter();
        let follows = |child: &&FeedEntry| child.item_type == ItemType::Subtask && child.sprint == self.from;
        children.filter(follows).map(|child| (child.number, child.updated_at)).collect()
    }

    /// Moves the first of these subtasks in the transaction; answers how many are dealt with.
    async fn take_along(
        &self,
        app: &App,
        project: &ProjectKey,
        numbers: &[u64],
        transaction: &mut Transaction,
    ) -> Result<usize> {
        let key = |number: &u64| keys::item(self.org, &ItemKey { project: project.clone(), number: *number });
        let wanted: Vec<_> = numbers.iter().take(BATCH).map(key).collect();
        if wanted.is_empty() {
            return Ok(0);
        }
        let from = self.name_of(app, project, self.from.as_deref()).await?;
        let (mut taken, mut bytes) = (0, 0);
        for row in wanted::load(app, wanted).await?.into_iter().flatten() {
            bytes += row.doc.len();
            if bytes > sprints::BATCH_BYTES {
                break;
            }
            taken += 1;
            let item: Item = row.read()?;
            if item.item_type == ItemType::Subtask && item.sprint == self.from {
                let mut change = ItemChange::update(self.org, item, row.version);
                self.plan(&mut change, from.as_deref());
                transaction.save(change);
            }
        }
        Ok(taken)
    }
}

/// Plans the subtasks of an item where the item is, as many as are left behind.
///
/// # Errors
/// Those of storage.
pub async fn follow(app: &App, following: &FollowItem) -> Result<()> {
    while app.decide(|| follow_once(app, following)).await? > 0 {}
    Ok(())
}

/// Those of these subtasks that nobody planned since their item was moved: of one that changed since, the history is
/// read.
async fn not_planned_since(
    app: &App,
    following: &FollowItem,
    subtasks: Vec<(u64, Timestamp)>,
) -> Result<Vec<u64>> {
    let mut numbers = Vec::with_capacity(subtasks.len());
    for (number, last_change) in subtasks {
        let stays = match following.at.filter(|at| last_change > *at) {
            Some(at) => is_planned_since(app, following, number, at).await?,
            None => false,
        };
        if !stays {
            numbers.push(number);
        }
    }
    Ok(numbers)
}

async fn is_planned_since(app: &App, following: &FollowItem, number: u64, at: Timestamp) -> Result<bool> {
    let key = ItemKey { project: following.item.project.clone(), number };
    let since = keys::history_since(at.as_millisecond());
    let rows =
        app.table.query_all(Query::new(keys::item_pk(following.org, &key), since, Limits::KEYS)).await?;
    for row in rows {
        let line: HistoryEntry = row.read()?;
        if line.at > at && (line.action == Action::Created || line.field.as_deref() == Some("sprint")) {
            return Ok(true);
        }
    }
    Ok(false)
}

async fn follow_once(app: &App, following: &FollowItem) -> Result<usize> {
    let FollowItem { org, item: key, from, by, at: _ } = following;
    let Some(row) = app.table.find(&keys::item(*org, key)).await? else { return Ok(0) };
    let item: Item = row.read()?;
    if item.sprint == *from {
        return Ok(0);
    }
    let mut step =
        Step { org: *org, by: by.clone(), to: None, from: from.clone(), checks: vec![row.unchanged()] };
    if let Some(sprint) = item.sprint.as_deref() {
        let row = match sprints::row_of(*org, &key.project, sprint) {
            Some(key) => app.table.find(&key).await?,
            None => None,
        };
        // A sprint that is over by now takes nobody.
        let Some(row) = row.filter(|row| sprints::open(row).is_ok()) else { return Ok(0) };
        step.go_to(Some(&row))?;
    }
    let feed = app.feeds.fresh(app, *org, &key.project).await?;
    let left_behind = not_planned_since(app, following, step.left_behind(&feed, key)).await?;
    let mut transaction = Transaction::on_behalf(app, *org, by);
    let taken = step.take_along(app, &key.project, &left_behind, &mut transaction).await?;
    if transaction.is_empty() {
        return Ok(0);
    }
    app.commit(transaction.with(step.checks)).await?;
    Ok(taken)
}
