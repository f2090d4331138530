//! Moves items out of a sprint that is over: the unfinished ones of a completed sprint where that says, all of a
//! deleted one to the backlog.
//!
//! Protocol.
//! 1. The commit that ends the sprint writes an outbox message beside it. From then on nothing can be planned
//!    into the sprint, because every such commit demands the sprint's row as it was.
//! 2. The items that the feed then shows in it are moved in batches, each one commit, which demands that the
//!    sprint they move to still takes items.
//! 3. The request that ended the sprint does so at once. The message arrives later: a worker then does what is left,
//!    which is nothing unless the first was cut off. To do it twice is harmless.

use std::sync::Arc;

use svc_domain::event::ItemEvent;
use svc_domain::ids::{ItemKey, SprintId};
use svc_domain::item::{FieldChange, Item};
use svc_domain::sprint::{Sprint, SprintState, is_finished};
use svc_domain::workflow::Workflow;
use svc_storage::{Condition, KeyOf, Limits, Op, Query, Range, RowOf, keys};

use super::load::Found;
use crate::App;
use crate::error::Result;
use crate::messages::SettleSprint;
use crate::tracker::{Feed, ItemChange};
use crate::transaction::Transaction;
use crate::wanted;

/// Items that one commit moves: each writes six rows at most.
const BATCH: usize = 15;

/// Bytes of items that one commit moves: it has room for 4 MB in all.
pub(crate) const BATCH_BYTES: usize = 3_000_000;

/// Sprints in a row that were completed, each into the next, before items could move.
const MAX_HOPS: usize = 50;

/// Where the items of a sprint go.
struct Exit {
    workflow: Workflow,
    /// Whether the finished ones go too.
    all: bool,
    /// The sprint, and its version; `None` for the backlog.
    to: Option<(Sprint, u64)>,
}

impl SettleSprint {
    pub(super) fn of(found: &Found) -> Self {
        Self {
            org: found.entry.org_id(),
            project: found.project.clone(),
            sprint: found.sprint.id,
            name: found.sprint.name.clone(),
            by: found.entry.actor().clone(),
        }
    }

    fn sprint_row(&self, sprint: SprintId) -> KeyOf<Sprint> {
        keys::sprint(self.org, &self.project, sprint)
    }
}

/// Moves the items; answers how many. A failure is logged: the worker goes on.
pub(super) async fn leave(app: &App, leaving: &SettleSprint) -> u64 {
    let mut moved = 0;
    if let Err(error) = settle_counting(app, leaving, &mut moved).await {
        tracing::warn!(%error, moved, "items are left in a sprint that is over; a worker moves them");
    }
    moved
}

/// Moves what has to leave a sprint, if it is over.
///
/// # Errors
/// Those of storage.
pub async fn settle(app: &App, leaving: &SettleSprint) -> Result<()> {
    settle_counting(app, leaving, &mut 0).await
}

async fn settle_counting(app: &App, leaving: &SettleSprint, moved: &mut u64) -> Result<()> {
    let Some(first) = exit(app, leaving).await? else { return Ok(()) };
    loop {
        let feed = app.feeds.fresh(app, leaving.org, &leaving.project).await?;
        let numbers = leavers(&feed, leaving, &first);
        let before = *moved;
        for batch in numbers.chunks(BATCH) {
            *moved += app.decide(|| move_batch(app, leaving, batch)).await?;
        }
        // What the feed shows may have left meanwhile: that is all of it when none was moved.
        if *moved == before {
            break;
        }
    }
    if first.all { forget_facts(app, leaving).await } else { Ok(()) }
}

/// Numbers of the items that the feed shows in the sprint and that have to leave.
fn leavers(feed: &Arc<Feed>, leaving: &SettleSprint, exit: &Exit) -> Vec<u64> {
    let index = feed.read();
    let items = index.of_sprint(&leaving.sprint.to_string());
    let leaves = |state: &str| exit.all || !is_finished(state, &exit.workflow);
    items.into_iter().filter(|item| leaves(&item.state)).map(|item| item.number).collect()
}

async fn move_batch(app: &App, leaving: &SettleSprint, numbers: &[u64]) -> Result<u64> {
    let Some(exit) = exit(app, leaving).await? else { return Ok(0) };
    let key = |number: &u64| {
        keys::item(leaving.org, &ItemKey { project: leaving.project.clone(), number: *number })
    };
    let rows = wanted::load(app, numbers.iter().map(key).collect::<Vec<_>>()).await?;
    let mut transaction = Transaction::on_behalf(app, leaving.org, &leaving.by);
    let (mut moved, mut bytes) = (0, 0);
    for row in rows.into_iter().flatten() {
        bytes += row.doc.len();
        if bytes > BATCH_BYTES {
            // The next round moves the rest.
            break;
        }
        let item: Item = row.read()?;
        let is_in = item.sprint.as_deref() == Some(&*leaving.sprint.to_string());
        if is_in && (exit.all || !is_finished(&item.state, &exit.workflow)) {
            transaction.save(moved_item(leaving, item, row.version, exit.to.as_ref()));
            moved += 1;
        }
    }
    if moved > 0 {
        let check = |(sprint, version): &(Sprint, u64)| {
            Op::check(leaving.sprint_row(sprint.id), Condition::Version(*version))
        };
        app.commit(transaction.with(exit.to.as_ref().map(check))).await?;
    }
    Ok(moved)
}

fn moved_item(leaving: &SettleSprint, item: Item, version: u64, to: Option<&(Sprint, u64)>) -> ItemChange {
    let mut change = ItemChange::update(leaving.org, item, version);
    change.item.sprint = to.map(|(sprint, _)| sprint.id.to_string());
    let (from, to) = (Some(leaving.name.clone()), to.map(|(sprint, _)| sprint.name.clone()));
    let field = FieldChange { field: "sprint", from, to };
    change.tell(ItemEvent::Changed(change.item.key.clone(), field));
    change
}

/// Where the sprint's items go; `None` when it is not over. A sprint that they should move to and that is over
/// itself sends them on.
async fn exit(app: &App, leaving: &SettleSprint) -> Result<Option<Exit>> {
    let wanted = (leaving.sprint_row(leaving.sprint), keys::workflow(leaving.org, &leaving.project));
    let (sprint, workflow) = wanted::load(app, wanted).await?;
    let Some(workflow) = workflow else { return Ok(None) };
    let workflow = workflow.read()?;
    let Some(sprint) = sprint.as_ref().map(RowOf::read).transpose()? else {
        return Ok(Some(Exit { workflow, all: true, to: None }));
    };
    let Some(completion) = sprint.completion else { return Ok(None) };
    let mut next = completion.unfinished_to;
    for _ in 0..MAX_HOPS {
        let Some(id) = next else { break };
        let Some(row) = app.table.get(&leaving.sprint_row(id)).await? else { break };
        let sprint: Sprint = row.read()?;
        if sprint.state != SprintState::Completed {
            return Ok(Some(Exit { workflow, all: false, to: Some((sprint, row.version)) }));
        }
        next = sprint.completion.and_then(|completion| completion.unfinished_to);
    }
    Ok(Some(Exit { workflow, all: false, to: None }))
}

/// A sprint that is gone needs no burndown.
async fn forget_facts(app: &App, leaving: &SettleSprint) -> Result<()> {
    let facts = keys::facts_pk(leaving.org, &leaving.sprint.to_string());
    let query = Query::new(facts, Range::All, Limits::OPS);
    loop {
        let rows = app.table.query(&query).await?.rows;
        if rows.is_empty() {
            return Ok(());
        }
        let gone = rows.into_iter().map(|row| Op::delete(row.key, Condition::None));
        app.commit(Transaction::bookkeeping(app).with(gone)).await?;
    }
}
