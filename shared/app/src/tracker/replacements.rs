//! Carries out the replacement of a label, a state or a milestone in every item of a project, however many there are, and then in
//! its saved views. Of a milestone or sprint with another name, the views alone are changed: items have its id.
//!
//! Protocol.
//! 1. A use case that renames or removes writes the replacement and a message about it in the same commit as the new
//!    name, so that neither is lost.
//! 2. Items are changed one commit each, under the version that was read. The request itself changes the
//!    first [`AT_ONCE`]; a worker that gets the message does the rest. Each begins by looking which items
//!    still have what goes, so that any of them may be cut off anywhere.
//! 3. Requests that read the old state before may still write it for as long as they last. So the message
//!    comes after [`SETTLE`], and only a pass that began after it and left nothing ends the replacement.
//! 4. A label that somebody puts on after the replacement was asked for stays: of an item that changed since, the
//!    history is read ([`Replacement::is_undone_by`]), and the item is changed under the version read before it.
//! 5. A state or label of the old name that is made anew meanwhile is another one: that ends it too.

use std::time::Duration;

use futures::{StreamExt as _, TryStreamExt as _, stream};
use jiff::SignedDuration;
use svc_domain::event::ProjectEvent;
use svc_domain::feed::FeedEntry;
use svc_domain::ids::{ItemKey, OrgId, ProjectKey};
use svc_domain::label::same;
use svc_domain::milestone::Milestones;
use svc_domain::replacement::{Replacement, What};
use svc_domain::sprint::Sprint;
use svc_domain::workflow::Workflow;
use svc_storage::{Condition, KeyOf, Op, Query, Range, Row, keys};
use uuid::Uuid;

use crate::App;
use crate::entry::Entry;
use crate::error::Result;
use crate::messages::ReplaceInItems;
use crate::outbox;
use crate::tracker::ItemChange;
use crate::tracker::views;
use crate::transaction::Transaction;

/// Longer than any request lasts.
pub(crate) const SETTLE: SignedDuration = SignedDuration::from_secs(60);

/// So long a worker waits at least before it looks again.
const A_MOMENT: Duration = Duration::from_millis(10);

/// Items that the request itself changes.
pub const AT_ONCE: usize = 200;

/// Items that one message changes.
const PASS: usize = 5_000;

/// Lines of history of one read.
const PAGE: usize = 100;

/// Items changed at the same time.
const WIDTH: usize = 16;

/// Replacements on their way to a commit.
pub(super) struct Begun {
    org: OrgId,
    project: ProjectKey,
    work: Vec<Replacement>,
}

impl Begun {
    /// Replacements that the caller asks for.
    pub(super) fn new(app: &App, entry: &Entry, project: &ProjectKey, what: Vec<What>) -> Self {
        let org = entry.org_id();
        let begin = |what| Replacement { id: app.uuid(), by: entry.actor().clone(), at: app.now(), what };
        Self { org, project: project.clone(), work: what.into_iter().map(begin).collect() }
    }

    /// The organization.
    pub(super) const fn org(&self) -> OrgId {
        self.org
    }

    /// Puts them into the transaction that renames or removes.
    pub(super) fn begin(&self, transaction: &mut Transaction) {
        for work in &self.work {
            transaction.write([Op::create(keys::replacement(self.org, &self.project, work.id), work)]);
            transaction.tell(ProjectEvent::ReplacementStarted(self.project.clone(), work.id));
        }
    }

    /// After the commit: changes the first items, and has a worker do the rest, also what fails now.
    pub(super) async fn carry_out(self, app: &App) {
        for work in self.work {
            let hint = ReplaceInItems { org: self.org, project: self.project.clone(), id: work.id };
            match pass(app, self.org, &self.project, &work, AT_ONCE).await {
                Ok(0) => {}
                Ok(_) => outbox::send_hint(app, hint, SignedDuration::ZERO).await,
                Err(error) => {
                    tracing::warn!(%error, "a worker goes on with the items");
                    outbox::send_hint(app, hint, SignedDuration::ZERO).await;
                }
            }
        }
    }
}

/// What a worker does when told of a replacement: goes on with it, and ends it when it has settled. Answers when to come
/// again, where something is left to be done.
///
/// # Errors
/// Those of storage: the message comes again.
pub async fn resume(app: &App, org: OrgId, project: &ProjectKey, id: Uuid) -> Result<Option<Duration>> {
    let key = keys::replacement(org, project, id);
    let Some(row) = app.table.get(&key).await? else { return Ok(None) };
    let work: Replacement = row.read()?;
    if is_there_again(app, org, project, &work.what).await? {
        forget(app, key).await?;
        return Ok(None);
    }
    let unsettled = SETTLE - app.now().duration_since(work.at);
    if pass(app, org, project, &work, PASS).await? > 0 {
        return Ok(Some(Duration::ZERO));
    }
    if unsettled.is_positive() {
        // The message's time is cut to milliseconds, so that it may come a moment too early.
        return Ok(Some(unsettled.unsigned_abs().max(A_MOMENT)));
    }
    forget(app, key).await?;
    Ok(None)
}

/// Ends the replacement.
async fn forget(app: &App, row: KeyOf<Replacement>) -> Result<()> {
    app.commit(Transaction::bookkeeping(app).with([Op::delete(row, Condition::None)])).await
}

/// Whether what went was made anew. What is only written otherwise never went.
async fn is_there_again(app: &App, org: OrgId, project: &ProjectKey, what: &What) -> Result<bool> {
    match what {
        What::Label { from, to } if to.as_ref().is_none_or(|to| !same(from, to)) => {
            Ok(app.table.get(&keys::label(org, project, from)).await?.is_some())
        }
        What::State { from, to, .. } if !same(from, to) => {
            let row = app.table.find(&keys::workflow(org, project)).await?;
            let workflow: Option<Workflow> = row.map(|row| row.read()).transpose()?;
            Ok(workflow.is_some_and(|workflow| workflow.find(from).is_some()))
        }
        What::MilestoneName { from, to } if !same(from, to) => {
            let row = app.table.find(&keys::milestones(org, project)).await?;
            let milestones: Option<Milestones> = row.map(|row| row.read()).transpose()?;
            Ok(milestones.is_some_and(|milestones| milestones.find(from).is_some()))
        }
        What::SprintName { from, to } if !same(from, to) => {
            let range = Range::Prefix(keys::SPRINT_PREFIX.to_owned());
            let rows = app.table.query_all(Query::new(keys::project_pk(org, project), range, PAGE)).await?;
            let sprints: Vec<Sprint> = rows.iter().map(Row::read).collect::<Result<_, _>>()?;
            Ok(sprints.iter().any(|sprint| same(&sprint.name, from)))
        }
        What::Label { .. }
        | What::State { .. }
        | What::Milestone { .. }
        | What::MilestoneName { .. }
        | What::SprintName { .. } => Ok(false),
    }
}

/// Changes at most `limit` of the items that it concerns for sure, and then those that changed since, of which
/// there are few; answers how many are left.
async fn pass(
    app: &App,
    org: OrgId,
    project: &ProjectKey,
    work: &Replacement,
    limit: usize,
) -> Result<usize> {
    let feed = app.feeds.fresh(app, org, project).await?;
    let (mut concerned, changed): (Vec<ItemKey>, Vec<ItemKey>) = {
        let index = feed.read();
        let (sure, changed): (Vec<_>, Vec<_>) = index
            .iter()
            .filter(|entry| work.concerns(entry))
            .partition(|entry| work.was_there(entry.updated_at));
        let keys = |entries: Vec<&FeedEntry>| entries.into_iter().map(|entry| entry.key(project)).collect();
        (keys(sure), keys(changed))
    };
    let left = concerned.len().saturating_sub(limit);
    concerned.truncate(limit);
    if left == 0 {
        concerned.extend(changed);
    }
    let change = |key: ItemKey| async move { replace(app, org, &key, work).await };
    stream::iter(concerned.into_iter().map(change)).buffer_unordered(WIDTH).try_collect::<()>().await?;
    if left == 0 {
        views::follow(app, org, project, &work.what).await?;
    }
    Ok(left)
}

async fn replace(app: &App, org: OrgId, key: &ItemKey, work: &Replacement) -> Result<()> {
    app.decide(|| async {
        let Some(row) = app.table.find(&keys::item(org, key)).await? else { return Ok(()) };
        let mut change = ItemChange::update(org, row.read()?, row.version);
        if !work.was_there(change.item.updated_at) && is_undone(app, org, key, work).await? {
            return Ok(());
        }
        let Some(told) = work.apply(&mut change.item) else { return Ok(()) };
        change.tell(told);
        let mut transaction = Transaction::on_behalf(app, org, &work.by);
        transaction.save(change);
        app.commit(transaction).await
    })
    .await
}

/// Whether somebody put on an item again what goes.
async fn is_undone(app: &App, org: OrgId, key: &ItemKey, work: &Replacement) -> Result<bool> {
    let since = keys::history_since(work.at.as_millisecond());
    let rows = app.table.query_all(Query::new(keys::item_pk(org, key), since, PAGE)).await?;
    for row in rows {
        if work.is_undone_by(&row.read()?) {
            return Ok(true);
        }
    }
    Ok(false)
}
