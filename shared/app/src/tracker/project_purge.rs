//! Takes away what is left of a project that can be restored no more.
//!
//! Protocol. Every step looks for what is left and takes some of it away, so that the work may be cut off anywhere, and
//! done again by another worker at the same time:
//! 1. Items, by their rows in the project's feed: each becomes a deleted item that can be brought back no more, whose
//!    purge takes what hangs on it ([`super::deletion`]). Then its runs go, with their logs and results, and its row in
//!    the feed goes last. The numbers of the runs stay in the organization's statistics.
//! 2. Wiki pages with their versions, then sprints and schedules with what their rows lead to.
//! 3. The rest of the project's partitions, its budget, and what its feed was packed into.
//! 4. The row is emptied. It stays, so that the key is never used again.

use svc_domain::budget::{Budgets, Limits as Budget, Scope};
use svc_domain::deleted_item::DeletedItem;
use svc_domain::deleted_project::DeletedProject;
use svc_domain::event::{FactoryEvent, ProjectEvent};
use svc_domain::feed::FeedEntry;
use svc_domain::ids::{ItemKey, OrgId, ProjectKey, RunId};
use svc_domain::intake::Intake;
use svc_domain::refusal::Refusal;
use svc_domain::run::Run;
use svc_domain::search::Source;
use svc_domain::sprint::Sprint;
use svc_domain::wiki::Page;
use svc_storage::{Condition, Op, Query, Range, Retention, Row, RowOf, keys};

use super::ItemChange;
use super::deletion;
use super::feed_snapshots;
use super::project_deletion::deleted_at;
use crate::App;
use crate::error::Result;
use crate::messages::{PurgeItem, PurgeProject};
use crate::search::changed;
use crate::transaction::Transaction;
use crate::wanted;

/// Rows that are taken away in one commit.
const BATCH: usize = 40;

/// Items that one call takes away at most: a message is not held for hours.
const ITEMS: usize = 200;

/// Takes away what is left of a project, or some of it; whether nothing is left to do. Doing it again, or late, is
/// harmless.
///
/// # Errors
/// [`Refusal::RunState`] while a run of it is at work; those of storage. Trying again goes on where it was.
pub async fn purge(app: &App, message: &PurgeProject) -> Result<bool> {
    let PurgeProject { org, project, at } = message;
    let Some((deleted, row)) = deleted_at(app, *org, project, *at).await? else { return Ok(true) };
    let there = app.table.find(&keys::project(*org, project)).await?.is_some();
    if there || deleted.project.is_none() || deleted.kept(app.now()).is_some() {
        return Ok(true);
    }
    let rest = Rest { app, org: *org, project };
    if !rest.items().await? {
        return Ok(false);
    }
    rest.pages().await?;
    rest.sprints().await?;
    rest.schedules().await?;
    feed_snapshots::forget(app, *org, project).await?;
    rest.addresses().await?;
    rest.partition(keys::firings_pk(*org, project), Range::All).await?;
    rest.partition(keys::project_pk(*org, project), Range::All).await?;
    app.decide(|| rest.budget()).await?;
    let emptied = DeletedProject { project: None, ..deleted };
    let transaction = Transaction::by_itself(app, *org).telling(ProjectEvent::Purged(project.clone()));
    app.commit(transaction.with([row.replaced_by(&emptied)])).await?;
    Ok(true)
}

/// What is left of a project.
struct Rest<'a> {
    app: &'a App,
    org: OrgId,
    project: &'a ProjectKey,
}

impl Rest<'_> {
    /// The next rows of a partition.
    async fn next(&self, pk: String, range: Range) -> Result<Vec<Row>> {
        Ok(self.app.table.query(&Query::new(pk, range, BATCH)).await?.rows)
    }

    async fn delete(&self, ops: Vec<Op>) -> Result<()> {
        if ops.is_empty() {
            return Ok(());
        }
        self.app.commit(Transaction::by_itself(self.app, self.org).with(ops)).await
    }

    /// What the addresses of its intakes lead by.
    async fn addresses(&self) -> Result<()> {
        let row = self.app.table.find(&keys::intakes(self.org, self.project)).await?;
        let intakes = RowOf::or_default(row.as_ref())?.0;
        let address = |intake: &Intake| gone(keys::intake_address(&intake.address_hash));
        self.delete(intakes.iter().map(address).collect()).await
    }

    /// Deletes the rows of a partition, the last first: of the versions of a page, no later one is left.
    async fn partition(&self, pk: String, range: Range) -> Result<()> {
        let last = Query::new(pk, range, BATCH).descending();
        loop {
            let rows = self.app.table.query(&last).await?.rows;
            if rows.is_empty() {
                return Ok(());
            }
            self.delete(rows.into_iter().map(|row| gone(row.key)).collect()).await?;
        }
    }

    /// Deletes items, those too that were deleted before; whether none is left.
    async fn items(&self) -> Result<bool> {
        let of_feed = (keys::feed_pk(self.org, self.project), Range::All);
        let marks = Range::Prefix(keys::DELETED_ITEM_PREFIX.to_owned());
        let deleted = (keys::project_pk(self.org, self.project), marks);
        let mut left = ITEMS;
        for (pk, range) in [of_feed, deleted] {
            loop {
                let rows = self.next(pk.clone(), range.clone()).await?;
                if rows.is_empty() {
                    break;
                }
                if left == 0 {
                    return Ok(false);
                }
                left = left.saturating_sub(rows.len());
                for row in rows {
                    let number = match row.key.sk.starts_with(keys::DELETED_ITEM_PREFIX) {
                        true => row.read::<DeletedItem>()?.key.number,
                        false => row.read::<FeedEntry>()?.number,
                    };
                    self.item(&ItemKey { project: self.project.clone(), number }).await?;
                    self.delete(vec![gone(row.key)]).await?;
                }
            }
        }
        Ok(true)
    }

    async fn item(&self, key: &ItemKey) -> Result<()> {
        // An item that left the project is found by its old key, and none of its rows is here.
        if self.app.table.find(&keys::transfer(self.org, key)).await?.is_some() {
            return Ok(());
        }
        self.app.decide(|| self.mark(key)).await?;
        if let Some(row) = self.app.table.find(&keys::deleted_item(self.org, key)).await? {
            let at = row.read()?.at;
            deletion::purge(self.app, &PurgeItem { org: self.org, item: key.clone(), at }).await?;
        }
        self.runs(key).await?;
        self.partition(keys::item_pk(self.org, key), Range::All).await
    }

    /// Makes an item that is there a deleted one, by who deleted the project and when.
    async fn mark(&self, key: &ItemKey) -> Result<()> {
        let (app, org) = (self.app, self.org);
        let wanted = (keys::item(org, key), keys::deleted_project(org, self.project));
        let (Some(row), Some(project)) = wanted::load(app, wanted).await? else { return Ok(()) };
        let (project, item) = (project.read()?, row.read()?);
        let mut change = ItemChange::update(org, item, row.version).into_deletion();
        change.item.claim = None;
        let mut transaction = Transaction::by_itself(app, org);
        let item = transaction.save(change);
        let (by, at) = (project.deletion.by, project.deletion.at);
        let deleted = DeletedItem { key: key.clone(), item: Some(item), row_version: row.version, by, at };
        app.commit(transaction.with([Op::create(keys::deleted_item(org, key), &deleted)])).await
    }

    /// Deletes the runs of an item, with their logs and results.
    async fn runs(&self, key: &ItemKey) -> Result<()> {
        loop {
            let range = Range::Prefix(keys::ITEM_RUN_PREFIX.to_owned());
            let rows = self.next(keys::item_pk(self.org, key), range).await?;
            if rows.is_empty() {
                return Ok(());
            }
            for row in rows {
                self.run(row.read()?).await?;
                self.delete(vec![gone(row.key)]).await?;
            }
        }
    }

    async fn run(&self, id: RunId) -> Result<()> {
        let org = self.org;
        let Some(row) = self.app.table.find(&keys::run(org, id)).await? else { return Ok(()) };
        let run: Run = row.read()?;
        // The run of an item that moved away is with the item.
        if run.item.project != *self.project {
            return Ok(());
        }
        if run.ended().is_none() {
            return Err(Refusal::RunState("a run of the deleted project is still at work").into());
        }
        self.blobs(Retention::Log, &format!("{org}/{id}/")).await?;
        self.blobs(Retention::Result, &format!("{org}/{id}/")).await?;
        let rest = [
            keys::run_prompt(org, id),
            keys::run_log(org, id).into(),
            keys::run_ref(id).into(),
            keys::run_entry(org, id),
        ];
        self.delete(rest.into_iter().chain([row.key.clone()]).map(gone).collect()).await
    }

    async fn blobs(&self, retention: Retention, folder: &str) -> Result<()> {
        loop {
            let blobs = self.app.blobs.list(retention, folder, None).await?;
            if blobs.is_empty() {
                return Ok(());
            }
            for blob in blobs {
                self.app.blobs.delete(&blob.key).await?;
            }
        }
    }

    async fn pages(&self) -> Result<()> {
        let pk = keys::wiki_pk(self.org, self.project);
        for kind in [keys::PAGE_PREFIX, keys::DELETED_PAGE_PREFIX] {
            loop {
                let rows = self.next(pk.clone(), Range::Prefix(kind.to_owned())).await?;
                if rows.is_empty() {
                    break;
                }
                for row in rows {
                    let page: Page = row.read()?;
                    self.partition(keys::page_versions_pk(self.org, page.id), Range::All).await?;
                    let text = changed(self.org, &Source::of_page(self.project, &page));
                    self.delete(vec![text, gone(row.key)]).await?;
                }
            }
        }
        self.partition(pk, Range::All).await
    }

    async fn sprints(&self) -> Result<()> {
        let (org, pk) = (self.org, keys::project_pk(self.org, self.project));
        loop {
            let rows = self.next(pk.clone(), Range::Prefix(keys::SPRINT_PREFIX.to_owned())).await?;
            if rows.is_empty() {
                return Ok(());
            }
            for row in rows {
                let sprint = row.read::<Sprint>()?.id;
                self.partition(keys::facts_pk(org, &sprint.to_string()), Range::All).await?;
                self.delete(vec![gone(keys::sprint_ref(sprint)), gone(row.key)]).await?;
            }
        }
    }

    async fn schedules(&self) -> Result<()> {
        let (org, project) = (self.org, self.project);
        let Some(row) = self.app.table.find(&keys::schedules(org, project)).await? else { return Ok(()) };
        for schedule in row.read()?.0 {
            self.partition(keys::schedule_firings_pk(org, project, schedule.id), Range::All).await?;
            if let Some(due) = schedule.due {
                let place = keys::due_schedule(due.as_millisecond(), org, project, schedule.id);
                self.delete(vec![gone(place)]).await?;
            }
        }
        // One that a worker fired meanwhile has another due time now.
        self.app.commit(Transaction::by_itself(self.app, org).with([row.deleted()])).await
    }

    async fn budget(&self) -> Result<()> {
        let Some(row) = self.app.table.find(&keys::budgets(self.org)).await? else { return Ok(()) };
        let mut budgets: Budgets = row.read()?;
        let Some(from) = budgets.projects.get(self.project).copied() else { return Ok(()) };
        let (of, to) = (Scope::Project(self.project.clone()), Budget::default());
        budgets.set(of.clone(), to);
        let op = row.replaced_by(&budgets);
        let transaction = Transaction::by_itself(self.app, self.org).telling(FactoryEvent::BudgetChanged {
            of,
            from: Box::new(from),
            to: Box::new(to),
        });
        self.app.commit(transaction.with([op])).await
    }
}

/// Deletes a row, whether or not it is there.
fn gone(key: svc_storage::Key) -> Op {
    Op::delete(key, Condition::None)
}
