//! Deleting an item, bringing it back, and taking away what is left of it in the end.
//!
//! Protocol.
//! 1. Deleting moves the item's row to [`keys::deleted_item`], in one commit with the mark in the project's feed that it
//!    went. Whatever else is about to change the item demands its row, and fails. What hangs on the item stays where it
//!    is, and is reached by nobody, because every path to it asks for the item's row.
//! 2. Bringing it back moves the row back, in a later version than the mark has.
//! 3. A message comes when it can be brought back no more ([`purge`]): it deletes what hangs on the item, part by part,
//!    and in the end empties the row. That stays, so that what names the item (its runs, the record of its sprints)
//!    names something. The number is never used again, because numbers are only counted up.

use std::str::FromStr;

use svc_domain::access::Capability;
use svc_domain::deleted_item::{DeletedItem, require_person};
use svc_domain::event::ItemEvent;
use svc_domain::ids::{CommentId, ItemKey, OrgId, ProjectKey, UserId};
use svc_domain::item::{Item, ItemType};
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_domain::search::Source;
use svc_domain::workflow::Workflow;
use svc_storage::{Condition, Op, Query, Range, Row, keys};

use super::gone::item_row;
use super::load::{ItemDetails, load};
use super::relations::{no_children, parent_checks};
use super::transfer::require_arrived;
use super::{ItemChange, attachments, item_links, milestones, sprints};
use crate::App;
use crate::derive::unmark;
use crate::entry::{Caller, enter_project, enter_project_with};
use crate::error::Result;
use crate::identity::bring_up_to_date;
use crate::messages::PurgeItem;
use crate::search::changed;
use crate::transaction::Transaction;

/// Deleted items that one answer has at most.
const LISTED: usize = 1_000;
/// Rows that are taken away in one commit.
const BATCH: usize = 40;

/// Deletes an item that none belongs to.
///
/// # Errors
/// [`Refusal::Forbidden`], [`Refusal::LiveRunExists`], [`Refusal::ItemClaimed`]; [`Refusal::Conflict`] while items
/// belong to it.
pub async fn delete(app: &App, caller: Caller<'_>, key: &ItemKey) -> Result<()> {
    app.decide(|| delete_once(app, caller, key)).await
}

async fn delete_once(app: &App, caller: Caller<'_>, key: &ItemKey) -> Result<()> {
    let loaded = load(app, caller, key, Capability::Work).await?;
    let (org, by) = (loaded.entry.org_id(), loaded.entry.actor().clone());
    loaded.item.require_delete(&loaded.entry.access, app.now(), app.settings.claims.stale_after())?;
    require_arrived(app, org, [&loaded.item].into_iter()).await?;
    let alone = no_children(app, org, key).await?;
    let alone = alone.ok_or(Refusal::Conflict("this item has children: move or delete them first"))?;
    let mut change = loaded.change().into_deletion();
    change.item.claim = None;
    change.tell(ItemEvent::Deleted(key.clone()));
    let mut transaction = Transaction::of(app, &loaded.entry);
    let item = transaction.save(change);
    // The message that purges it names this time too.
    let (row_version, at) = (loaded.row_version, transaction.at());
    let deleted = DeletedItem { key: key.clone(), item: Some(item), row_version, by, at };
    app.commit(transaction.with([alone, Op::create(keys::deleted_item(org, key), &deleted)])).await
}

/// The deleted items of a project that the caller can bring back, last deleted first.
///
/// # Errors
/// [`Refusal::NotFound`].
pub async fn list(app: &App, caller: Caller<'_>, project: &ProjectKey) -> Result<Vec<DeletedItem>> {
    let entry = enter_project(app, caller, project, Capability::SeeProject).await?;
    let range = Range::Prefix(keys::DELETED_ITEM_PREFIX.to_owned());
    let rows =
        app.table.query_all(Query::new(keys::project_pk(entry.org_id(), project), range, 1_000)).await?;
    let mut found: Vec<DeletedItem> = rows.iter().map(Row::read).collect::<Result<_, _>>()?;
    found.retain(|deleted| deleted.kept(app.now()).is_some_and(|item| deleted.concerns(&entry.access, item)));
    found.sort_by(|a, b| b.at.cmp(&a.at).then_with(|| a.key.number.cmp(&b.key.number)));
    found.truncate(LISTED);
    Ok(found)
}

/// Brings a deleted item back. What it named and is gone meanwhile, it names no more.
///
/// # Errors
/// [`Refusal::NotFound`], also for an item that is there; [`Refusal::ItemDeleted`] when it is too late;
/// [`Refusal::ItemTransferred`] for a key that it had before; [`Refusal::Forbidden`]; [`Refusal::Conflict`] for a subtask whose parent is deleted.
pub async fn restore(app: &App, caller: Caller<'_>, key: &ItemKey) -> Result<ItemDetails> {
    app.decide(|| restore_once(app, caller, key)).await
}

async fn restore_once(app: &App, caller: Caller<'_>, key: &ItemKey) -> Result<ItemDetails> {
    let wanted =
        |org| (keys::deleted_item(org, key), keys::workflow(org, &key.project), keys::item(org, key));
    let (entry, (deleted, workflow, there)) =
        enter_project_with(app, caller, &key.project, Capability::Work, wanted).await?;
    require_person(&entry.access)?;
    let workflow: Workflow = workflow.ok_or(Refusal::NotFound)?.read()?;
    // It was restored already, perhaps by this request when it was sent before.
    if let (None, Some(there)) = (&deleted, &there) {
        return Ok(ItemDetails::of(app, there.read()?, &workflow));
    }
    let row = item_row(app, &entry, deleted, key).await?;
    let deleted: DeletedItem = row.read()?;
    let Some(item) = deleted.kept(app.now()) else { return Err(deleted.refusal(app.now()).into()) };
    deleted.require_restore(&entry.access, item)?;
    let org = entry.org_id();
    let mut item = item.clone().restored(&workflow, app.now());
    let mark = item.feed_sk.clone();
    let mut checks = vec![row.deleted()];
    checks.extend(with_what_is_there(app, org, &mut item).await?);
    bring_up_to_date(app, org, item.assignee.iter_mut().chain([&mut item.created_by])).await?;
    let mut change = ItemChange::restore(org, item, deleted.next_row_version());
    change.tell(ItemEvent::Restored(key.clone()));
    let mut transaction = Transaction::of(app, &entry);
    let item = transaction.save(change);
    // In the same millisecond, the item's row in the feed replaces the mark.
    if mark != item.feed_sk {
        checks.push(unmark(org, &key.project, &mark));
    }
    app.commit(transaction.with(checks)).await?;
    Ok(ItemDetails::of(app, item, &workflow))
}

/// Takes from an item the parent, sprint and milestone that are gone, and a sprint that is closed; answers what must hold for the others.
///
/// # Errors
/// [`Refusal::Conflict`] for a subtask whose parent is gone.
async fn with_what_is_there(app: &App, org: OrgId, item: &mut Item) -> Result<Vec<Op>> {
    let mut checks = Vec::new();
    if let Some(parent) = item.parent.take() {
        let mut errors = FieldErrors::default();
        let above = parent_checks(app, org, &item.key, &parent, &mut errors).await?;
        if errors.0.is_empty() {
            checks.extend(above);
            item.parent = Some(parent);
        } else if item.item_type == ItemType::Subtask {
            return Err(Refusal::Conflict("its parent was deleted too: restore the parent first").into());
        }
    }
    if let Some(sprint) = item.sprint.take() {
        checks.extend(sprints::plan_if_open(app, org, item, sprint).await?);
    }
    checks.extend(milestones::keep_if_there(app, org, item).await?);
    Ok(checks)
}

/// Takes away what is left of an item that can be brought back no more. Doing it again, or late, is harmless.
///
/// # Errors
/// Those of storage.
pub async fn purge(app: &App, message: &PurgeItem) -> Result<()> {
    let PurgeItem { org, item: key, at } = message;
    let name = keys::deleted_item(*org, key);
    loop {
        let Some(row) = app.table.get(&name).await? else { return Ok(()) };
        let deleted: DeletedItem = row.read()?;
        // Brought back and deleted again: another message comes for that. Earlier servers took the time of the message
        // a moment after that of the row.
        if deleted.at > *at || deleted.item.is_none() || deleted.kept(app.now()).is_some() {
            return Ok(());
        }
        let rows = left(app, *org, key).await?;
        if rows.is_empty() {
            if let Some(item) = &deleted.item {
                item_links::forget(app, *org, item).await?;
            }
            let emptied = DeletedItem { item: None, ..deleted };
            let transaction = Transaction::by_itself(app, *org);
            return app.commit(transaction.with([Op::replace(name, row.version, &emptied)])).await;
        }
        take_away(app, *org, key, rows).await?;
    }
}

/// Some rows that are left of the item, of one kind: the last first, so that no comment loses the one that it answers.
async fn left(app: &App, org: OrgId, key: &ItemKey) -> Result<Vec<Row>> {
    for kind in keys::GOES_WITH_ITEM {
        let rest = Query::new(keys::item_pk(org, key), Range::Prefix(kind.to_owned()), BATCH).descending();
        let rows = app.table.query(&rest).await?.rows;
        if !rows.is_empty() {
            return Ok(rows);
        }
    }
    Ok(Vec::new())
}

async fn take_away(app: &App, org: OrgId, key: &ItemKey, rows: Vec<Row>) -> Result<()> {
    let mut transaction = Transaction::by_itself(app, org);
    for row in rows {
        if row.key.sk.starts_with(keys::FILE_PREFIX) {
            app.decide(|| attachments::clear_one(app, org, &row.key, key)).await?;
            continue;
        }
        if let Some(id) = named::<CommentId>(&row, keys::COMMENT_PREFIX) {
            transaction.write([changed(org, &Source::Comment { item: key.clone(), id })]);
        }
        if let Some(user) = named::<UserId>(&row, keys::WATCHER_PREFIX) {
            transaction.write([Op::delete(keys::watching(org, user, key), Condition::None)]);
        }
        transaction.write([Op::delete(row.key, Condition::None)]);
    }
    if transaction.is_empty() { Ok(()) } else { app.commit(transaction).await }
}

/// The id that the name of a row of this kind ends with.
fn named<T: FromStr>(row: &Row, kind: &str) -> Option<T> {
    row.key.sk.strip_prefix(kind)?.parse().ok()
}
