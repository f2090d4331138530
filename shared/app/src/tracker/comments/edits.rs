//! What edits changed of a comment: kept with each edit, gone with the comment.
//!
//! A deleted comment shows none of them from that commit on, because reading them needs the comment; a message takes the
//! rows away ([`clear`]).

use jiff::Timestamp;
use svc_domain::access::Capability;
use svc_domain::comment::Comment;
use svc_domain::ids::{CommentId, ItemKey, OrgId};
use svc_domain::refusal::Refusal;
use svc_domain::text_change::{CommentEdit, TextChange};
use svc_storage::{Condition, Limits, Op, Query, Range, keys};

use super::read::enter_comment;
use crate::App;
use crate::entry::{Caller, Entry};
use crate::error::Result;
use crate::heavy;
use crate::identity::bring_up_to_date;
use crate::transaction::Transaction;

/// Rows of one read.
const AT_ONCE: usize = 500;

/// An edit of a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The version that it made.
    pub version: u64,
    /// Who and when.
    pub edit: CommentEdit,
}

/// What is kept of an edit that makes this text and this version of a comment.
pub(super) fn kept(
    entry: &Entry,
    item: &ItemKey,
    (comment, version): (&Comment, u64),
    body: &str,
    at: Timestamp,
) -> [Op; 2] {
    let [edit, text] = keys::edit(entry.org_id(), item, comment.id, version);
    let change = TextChange::between(&comment.body, body);
    [Op::create(edit, &CommentEdit { at, actor: entry.actor().clone() }), Op::create(text, &change)]
}

/// The edits of a comment, newest first: those after the first `offset`, at most `limit`; and how many there are.
///
/// # Errors
/// [`Refusal::NotFound`], also for a comment that was deleted.
pub async fn list(
    app: &App,
    caller: Caller<'_>,
    item: &ItemKey,
    id: CommentId,
    (offset, limit): (usize, usize),
) -> Result<(Vec<Edit>, u64)> {
    let (entry, _) = enter_comment(app, caller, item, id, Capability::SeeProject).await?;
    let org = entry.org_id();
    let range = Range::Prefix(keys::edits_prefix(id));
    let mut query = Query::new(keys::item_pk(org, item), range, AT_ONCE).descending();
    let (mut page, mut total) = (Vec::new(), 0);
    loop {
        let read = app.table.query(&query).await?;
        for row in &read.rows {
            if total >= offset && page.len() < limit {
                let version = keys::edited_version(&row.key.sk).unwrap_or_default();
                page.push(Edit { version, edit: row.read()? });
            }
            total += 1;
        }
        query.cursor = read.cursor;
        if query.cursor.is_none() {
            break;
        }
    }
    bring_up_to_date(app, org, page.iter_mut().map(|edit| &mut edit.edit.actor)).await?;
    Ok((page, total as u64))
}

/// What the edit changed that made this version of a comment.
///
/// # Errors
/// [`Refusal::NotFound`], also for a comment that was deleted.
pub async fn text_change(
    app: &App,
    caller: Caller<'_>,
    item: &ItemKey,
    id: CommentId,
    version: u64,
) -> Result<TextChange> {
    let _room = heavy::room(Limits::ROW_BYTES).await?;
    let (entry, _) = enter_comment(app, caller, item, id, Capability::SeeProject).await?;
    let [_, text] = keys::edit(entry.org_id(), item, id, version);
    Ok(app.table.get(&text).await?.ok_or(Refusal::NotFound)?.read()?)
}

/// Takes away what the edits of a deleted comment changed.
///
/// # Errors
/// Those of storage.
pub(super) async fn clear(app: &App, org: OrgId, item: &ItemKey, id: CommentId) -> Result<()> {
    for prefix in [keys::edit_texts_prefix(id), keys::edits_prefix(id)] {
        let query = Query::new(keys::item_pk(org, item), Range::Prefix(prefix), Limits::OPS);
        loop {
            let rows = app.table.query(&query).await?.rows;
            if rows.is_empty() {
                break;
            }
            let gone = rows.into_iter().map(|row| Op::delete(row.key, Condition::None));
            app.commit(Transaction::bookkeeping(app).with(gone)).await?;
        }
    }
    Ok(())
}
